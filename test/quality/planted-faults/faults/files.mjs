export const files = [
  {
    name: "a text that looks like a neutralised formula loses its apostrophe",
    file: "src/cli/files/formulas.ts",
    find: "/^'*[=",
    replace: "/^'?[=",
    tests: ["test/cli/file-text.test.ts"],
  },
  {
    name: "a row of CSV has the number of its last line",
    file: "src/cli/files/read-csv.ts",
    find: "read.push({ line, cells });",
    replace: "read.push({ line: lines, cells });",
    tests: ["test/cli/file-text.test.ts"],
  },
  {
    name: "an import writes products that are as in the file",
    file: "src/services/catalogue/transfer/plan.ts",
    find: "WHERE type = 'product' AND (products.id IS NULL",
    replace: "WHERE type = 'product' AND (true OR products.id IS NULL",
    tests: ["test/cli/catalogue-files.test.ts"],
  },
  {
    name: "an import keeps those waiting who change what it has changed",
    file: "src/services/catalogue/transfer/store.ts",
    find: "chunks.length - index > FEW",
    replace: "chunks.length - index > 1000 * FEW",
    tests: ["test/cli/catalogue-import-beside.test.ts"],
  },
  {
    name: "two imports run at once",
    file: "src/services/catalogue/transfer/import-catalogue.ts",
    find: "if (!options.dryRun) await takeImportLock(client);",
    replace: "if (options.dryRun) await takeImportLock(client);",
    tests: ["test/cli/catalogue-import-beside.test.ts"],
  },
  {
    name: "an export reads categories and products at two moments",
    file: "src/database/snapshot.ts",
    find: "ISOLATION LEVEL REPEATABLE READ, READ ONLY",
    replace: "ISOLATION LEVEL READ COMMITTED, READ ONLY",
    tests: ["test/cli/catalogue-files.test.ts"],
  },
];
