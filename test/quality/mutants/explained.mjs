/**
 * Mutants that no test can notice, or need notice, each with the reason. `find` is the text that a mutant replaces,
 * with as much around it as makes it unique in its file. An entry explains all mutants within this text; with `by`,
 * only the mutants with one of these replacements.
 */
export const explained = [
  {
    file: "src/services/orders/inputs/order-terms.ts",
    find: '?? "")',
    by: ['"Stryker was here!"'],
    why: "a key with a space is refused as an empty one is",
  },
  {
    file: "src/services/orders/inputs/order-terms.ts",
    find: 'rule("idempotencyKey"',
    why: "the name only keeps the rules of one field apart, and this field has no other",
  },
  {
    file: "src/services/orders/place-in-steps.ts",
    find: "rejectOnEmpty: true",
    why: "a key never outlives its order, so the order is found; the option is for the compiler",
  },
  {
    file: "src/lists/counts/counted-lists.ts",
    find: "query.offset > WALKED",
    why: "both ways to a page give the same rows; they only differ in their cost",
  },
  {
    file: "src/lists/counts/counted-lists.ts",
    find: "if (offset <= WALKED) {",
    by: ["offset < WALKED"],
    why: "both ways to a page give the same rows; they only differ in their cost",
  },
  {
    file: "src/lists/counts/counted-lists.ts",
    find: 'backwards ? "last" : "first"',
    by: ['""'],
    why: "the names of prepared statements only need to differ",
  },
  {
    file: "src/lists/list-query.ts",
    find: "query.offset > NEAR",
    by: ["false", "query.offset >= NEAR"],
    why: "both ways to a page give the same rows; they only differ in their cost",
  },
  {
    file: "src/reads/catalogue-version.ts",
    find: "performance.now() + FOLD_INTERVAL",
    why: "folding more often costs more and changes no version",
  },
  {
    file: "src/services/catalogue/import-export/plan.ts",
    find: '"CREATE INDEX ON planned (type, is_new, position); ANALYZE planned"',
    why: "without the index the same rows are stored; it only takes longer",
  },
  {
    file: "src/services/administrators/password-threads.ts",
    find: "utilization >= BUSY",
    by: ["utilization > BUSY"],
    why: "no event loop is busy for exactly that share of its time",
  },
  {
    file: "src/http/answer/send-in-pieces.ts",
    find: 'response.req.method !== "HEAD"',
    by: ["true"],
    why: "Node sends no body to a HEAD anyway; it would only take longer",
  },
  {
    file: "src/graphql/limits/operation-limits.ts",
    find: "variableDefinitions = []",
    why: "the parser always gives a list; the default is for the compiler",
  },
  {
    file: "src/graphql/limits/operation-limits.ts",
    find: "{\n    maxErrors: 1,\n  }",
    by: ["{}"],
    why: "the first fault alone is told anyway; finding more only takes longer",
  },
  {
    file: "src/graphql/limits/measure-operation.ts",
    find: "condition === undefined",
    by: ["true"],
    why: "the schema has no interfaces and unions, so a fragment's type is that of its parent",
  },
  {
    file: "src/graphql/limits/weigh-introspection.ts",
    find: "this.total > this.most",
    by: ["false"],
    why: "weighing on only takes longer: what is added up by then is too heavy already",
  },
  {
    file: "src/graphql/operation/documents/document-plugin.ts",
    find: "(document.match(/[[({]/g)?.length ?? 0) <= levels",
    by: ["false", "(document.match(/[[({]/g)?.length ?? 0) < levels"],
    why: "reading a document with few brackets finds none too deep, but takes longer",
  },
  {
    file: "src/graphql/operation/documents/document-plugin.ts",
    find: "kind === TokenKind.EOF",
    by: ["false"],
    why: "behind the end of a document the lexer finds its end again, up to the number of tokens",
  },
  {
    file: "src/graphql/operation/documents/own-documents.ts",
    find: '/\\s+/g, " "',
    by: ['""'],
    why: "what would be taken for a document of the service without its white space is no GraphQL",
  },
  {
    file: "src/lists/lists.ts",
    find: "cost < MAX_SKIP_COST",
    by: ["cost <= MAX_SKIP_COST"],
    why: "both sides are the same number where they differ",
  },
  {
    file: "src/lists/counts/list-count-compactor.ts",
    find: "changes < WORTH_FOLDING",
    by: ["changes <= WORTH_FOLDING"],
    why: "folding one change later costs a moment and changes no total",
  },
  {
    file: "src/services/catalogue/categories.ts",
    find: 'isActive === undefined ? "categories as rows"',
    by: ["isActive !== undefined"],
    why: "the names of prepared statements only need to differ",
  },
  {
    file: "src/services/catalogue/import-export/entry-tables.ts",
    find: 'holds === "decimal" ? name : []',
    by: ['["Stryker was here"]'],
    why: "no field has that name",
  },
  {
    file: "src/services/catalogue/import-export/staging.ts",
    find: '"ANALYZE staged"',
    why: "without it the same rows are stored; it only takes longer",
  },
  {
    file: "src/services/catalogue/import-export/staging.ts",
    find: 'integer: "integer"',
    by: ['""'],
    why: "no field of an entry holds an integer; the type asks for all kinds",
  },
  {
    file: "src/services/catalogue/product-query.ts",
    find: 'sql`${active.join("")}`',
    why: "there is one text at most",
  },
  {
    file: "src/services/catalogue/product-query.ts",
    find: "[ProductSortField.NAME]: []",
    why: "no filter has that name",
  },
  {
    file: "src/services/catalogue/products.ts",
    find: 'query.withDescriptions === false ? "description"',
    by: ['""'],
    why: "a column that nobody selects is read in vain, and shown to nobody",
  },
  {
    file: "src/reads/catalogue-version.ts",
    find: "found.rows > MOST_ROWS",
    by: ["found.rows >= MOST_ROWS"],
    why: "folding one change earlier changes no version",
  },
  {
    file: "src/reads/catalogue-version.ts",
    find: "performance.now() < this.nextFold",
    by: ["performance.now() <= this.nextFold"],
    why: "no fold is looked for at exactly that time",
  },
  {
    file: "src/reads/shared-source.ts",
    find: "objectMode: true",
    why: "the pieces are bytes, of which fewer are read ahead then; it only takes longer",
  },
  {
    file: "src/reads/json-lists.ts",
    find: "length > 3 * LONGEST_KEPT",
    by: ["false"],
    why: "the text that is made in vain is too long as well",
  },
];
