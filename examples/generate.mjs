// Writes rest/generated and graphql/generated from the contracts of the shop whose address is given, or else of the
// repository. Does nothing where neither contracts nor documents have changed, or in a copy of this folder without
// an address.
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";

const FOLDER = import.meta.dirname;
const STAMP = "graphql/generated/.source";
const [address] = process.argv.slice(2);

const contracts = address ? await contractsOf(address) : await contractsOfRepository();
if (contracts) await generate(contracts);
else if ((await textOf(STAMP)) === undefined) {
  console.error("There are no contracts here: npm run generate -- http://localhost:3000");
  process.exitCode = 1;
}

async function generate({ openapi, schema }) {
  const documents = await documentsIn("graphql");
  const texts = [await textOf("generate.mjs"), openapi, schema, ...documents.map(([text]) => text)];
  const stamp = createHash("sha256").update(JSON.stringify(texts)).digest("hex");
  if ((await textOf(STAMP)) === stamp && (await textOf("rest/generated/schema.d.ts"))) return;
  await generateRest(openapi);
  await generateGraphql(schema, documents);
  await write(STAMP, stamp);
}

async function generateRest(openapi) {
  const { astToString, COMMENT_HEADER, default: typesOf } = await import("openapi-typescript");
  const types = astToString(await typesOf(openapi));
  await write("rest/generated/schema.d.ts", `${COMMENT_HEADER}${types}`);
}

async function generateGraphql(schema, documents) {
  const { buildSchema, parse } = await import("graphql");
  const { codegen } = await import("@graphql-codegen/core");
  const { addTypenameSelectionDocumentTransform, preset } =
    await import("@graphql-codegen/client-preset");
  const parts = await preset.buildGeneratesSection({
    baseOutputDir: "graphql/generated/",
    schema: parse(schema),
    schemaAst: buildSchema(schema),
    documents: documents.map(([rawSDL, location]) => ({
      rawSDL,
      location,
      document: parse(rawSDL),
    })),
    presetConfig: {
      fragmentMasking: false,
      // Writes the list for GRAPHQL_DOCUMENTS, and gives each document its hash.
      persistedDocuments: { hashAlgorithm: "sha256" },
    },
    // The caches of urql and Apollo Client need __typename, in the documents of the list as well.
    documentTransforms: [{ transformObject: addTypenameSelectionDocumentTransform, config: {} }],
    config: {
      // A new scalar must be mapped before anything is generated.
      strictScalars: true,
      // A decimal stays text: floating-point numbers can't represent all amounts.
      scalars: { Date: "string", DateTime: "string", Decimal: "string", JSON: "unknown" },
      useTypeImports: true,
    },
    plugins: [],
    pluginMap: {},
    pluginContext: {},
  });
  for (const part of parts) await write(part.filename, await codegen(part));
}

/** The documents in the modules of a folder, each with its file. */
async function documentsIn(folder) {
  const names = (await readdir(path.join(FOLDER, folder))).filter((name) => name.endsWith(".ts"));
  const found = names.sort().map(async (name) => {
    const text = await readFile(path.join(FOLDER, folder, name), "utf8");
    return [...text.matchAll(/\bgraphql\(`([^`]*)`\)/g)].map(([, document]) => [document, name]);
  });
  return (await Promise.all(found)).flat();
}

async function contractsOf(shop) {
  const { buildClientSchema, getIntrospectionQuery, printSchema } = await import("graphql");
  const openapi = await answerOf(`${shop}/openapi.json`);
  const { data } = await answerOf(`${shop}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  });
  return { openapi: JSON.stringify(openapi), schema: printSchema(buildClientSchema(data)) };
}

async function answerOf(url, request) {
  const response = await fetch(url, request);
  const body = await response.json();
  if (response.ok && !body.errors) return body;
  throw new Error(`${url} answers ${response.status}: ${JSON.stringify(body)}`);
}

async function contractsOfRepository() {
  const { name } = JSON.parse((await textOf("../package.json")) ?? "{}");
  if (name !== "tea-shop-backend") return undefined;
  return { openapi: await textOf("../openapi.yaml"), schema: await textOf("../schema.graphql") };
}

/** Undefined where there is no such file. */
function textOf(name) {
  return readFile(path.join(FOLDER, name), "utf8").catch(() => undefined);
}

/** Replaces a file whole: commands that need it may run beside each other. */
async function write(name, text) {
  const file = path.join(FOLDER, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(`${file}.${process.pid}`, text);
  await rename(`${file}.${process.pid}`, file);
}
