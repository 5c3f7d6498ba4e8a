import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { writeAsset } from "./assets.mjs";
import { filesOf, hash, read } from "./files.mjs";

const root = path.join(import.meta.dirname, "../..");
const admin = path.join(root, "admin");
const GENERATED = path.join("api", "generated");
const PAGE = path.join("admin", "page.html");
const ASSETS = path.join("admin", "assets");
const MANIFEST = path.join("admin", "bundle.json");

const sources = () =>
  filesOf(admin)
    .filter((name) => !name.startsWith(GENERATED))
    .sort();

/** What the admin app is made of, below the root of the repository. */
export const adminSources = () =>
  existsSync(admin) ? ["schema.graphql", ...sources().map((name) => path.join("admin", name))] : [];

/** Writes the types of the app's documents (admin/api/generated) from schema.graphql, unless that has been done. */
export async function generateAdminTypes() {
  const documents = sources()
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) =>
      [
        ...read(admin, name)
          .toString()
          .matchAll(/\bgraphql\(\s*`([^`]*)`,?\s*\)/g),
      ].map(([, text]) => [text, name]),
    );
  const schema = readFileSync(path.join(root, "schema.graphql"), "utf8");
  const stamp = hash(schema, JSON.stringify(documents), readFileSync(import.meta.filename));
  const isDone = read(admin, path.join(GENERATED, ".source"))?.toString() === stamp;
  if (isDone && existsSync(path.join(admin, GENERATED, "graphql.ts"))) return;
  const { buildSchema, parse } = await import("graphql");
  const { codegen } = await import("@graphql-codegen/core");
  const { preset } = await import("@graphql-codegen/client-preset");
  const parts = await preset.buildGeneratesSection({
    baseOutputDir: `${path.join(admin, GENERATED)}/`,
    schema: parse(schema),
    schemaAst: buildSchema(schema),
    documents: documents.map(([rawSDL, location]) => ({
      ...{ rawSDL, location, document: parse(rawSDL) },
    })),
    presetConfig: { fragmentMasking: false },
    documentTransforms: [],
    config: {
      documentMode: "string",
      strictScalars: true,
      scalars: { Date: "string", DateTime: "string", Decimal: "string", JSON: "unknown" },
      useTypeImports: true,
      enumsAsTypes: true,
    },
    plugins: [],
    pluginMap: {},
    pluginContext: {},
  });
  for (const part of parts) write(part.filename, await codegen(part));
  write(path.join(admin, GENERATED, ".source"), stamp);
}

/** Bundles the admin app, split by page, unless that has been done; returns the names of what it becomes. */
export async function bundleAdmin(output, conditions) {
  const inputs = [...adminSources(), "package-lock.json"];
  if (inputs.length === 1) return []; // there is no app
  const source = hash(...conditions, ...inputs.flatMap((name) => [name, read(root, name)]));
  const last = JSON.parse(output.read(MANIFEST)?.toString() ?? "{}");
  const isThere = last.source === source && last.names.every((name) => output.read(name));
  if (isThere) return [...last.names, MANIFEST];

  await generateAdminTypes();
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: { main: path.join(admin, "main.tsx") },
    outdir: path.join(output.folder, ASSETS),
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    jsx: "automatic",
    legalComments: "none",
    define: { "process.env.NODE_ENV": '"production"' },
    loader: { ".css": "text" },
  });
  const names = await Promise.all(
    outputFiles.map(({ path: file, contents }) =>
      writeAsset(output, path.relative(output.folder, file), Buffer.from(contents)),
    ),
  );
  // A page of another build asks for what it was built with: the entry is named for its content, too.
  output.write(PAGE, readFileSync(path.join(admin, "page.html")));
  const manifest = { source, names: [...names.flat(), PAGE] };
  output.write(MANIFEST, JSON.stringify(manifest));
  return [...manifest.names, MANIFEST];
}

function write(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  const id = createHash("sha256").update(`${process.pid}${file}`).digest("hex").slice(0, 8);
  writeFileSync(`${file}.${id}`, text);
  renameSync(`${file}.${id}`, file);
}
