// Takes the contracts that types are generated from, into contracts/: those of the shop whose address is given, or
// else those of the repository. A copy of this folder elsewhere has its own already.
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { buildClientSchema, getIntrospectionQuery, printSchema } from "graphql";

const NAMES = ["openapi.json", "schema.graphql"];
const repository = path.dirname(import.meta.dirname);
const [address] = process.argv.slice(2);

if (address !== undefined) await write(await contractsOf(address));
else if (await isInRepository()) await write(await committedContracts());

async function contractsOf(shop) {
  const openapi = await answerOf(`${shop}/openapi.json`);
  const { data } = await answerOf(`${shop}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  });
  const schema = printSchema(buildClientSchema(data));
  return [`${JSON.stringify(openapi, null, 2)}\n`, `${schema}\n`];
}

async function answerOf(url, request) {
  const response = await fetch(url, request);
  const body = await response.json();
  if (response.ok && !body.errors) return body;
  throw new Error(`${url} answers ${response.status}: ${JSON.stringify(body)}`);
}

async function isInRepository() {
  const file = path.join(repository, "package.json");
  const { name } = JSON.parse(await readFile(file, "utf8").catch(() => "{}"));
  return name === "tea-shop-backend";
}

function committedContracts() {
  return Promise.all(NAMES.map((name) => readFile(path.join(repository, name), "utf8")));
}

async function write(texts) {
  for (const [index, name] of NAMES.entries()) {
    await writeFile(path.join(import.meta.dirname, "contracts", name), texts[index]);
  }
}
