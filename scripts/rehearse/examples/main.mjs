// Installs the examples in an empty folder, generates their types again, and runs them against the built service:
// REST by openapi-fetch, GraphQL by urql, and the documents of GraphQL by Apollo Client as well.
import { cp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Postgres } from "../../../bench/support/postgres.mjs";
import { part } from "../support/part.mjs";
import { program, ROOT } from "../support/program.mjs";
import { doing, seen, since } from "../support/say.mjs";
import { Release } from "../support/service.mjs";

const ACCOUNT = { email: "ada@example.com", password: "not a secret at all" };
/** What the generators write. */
const GENERATED = ["graphql/generated", "rest/generated"];
const DOCUMENTS = "graphql/generated/persisted-documents.json";
/** Carts that the comparison with Apollo Client orders, by both clients. */
const CARTS = 2;

await part(async ({ folder, cleanup }) => {
  const copy = path.join(folder, "examples");
  const npm = (...args) => program("npm", ["--silent", ...args], { cwd: copy });
  const run = (script, ...args) => npm("run", script, "--", ...args);
  await install(copy, npm);

  const before = await contentsOf(copy);
  for (const name of GENERATED) await rm(path.join(copy, name), { recursive: true });
  await run("generate");
  compare(before, await contentsOf(copy));
  await run("types");
  seen("TypeScript 5 finds no mistake in types");

  const postgres = await Postgres.start(cleanup);
  const databaseUrl = await postgres.createDatabase();
  const settings = { ADMIN_EMAIL: ACCOUNT.email, ADMIN_PASSWORD: ACCOUNT.password };
  const service = await Release.start({ databaseUrl, settings }, cleanup);
  const account = path.join(folder, "administrator.json");
  await writeFile(account, JSON.stringify(ACCOUNT));
  for (const door of ["rest", "graphql"]) show(door, await run(door, service.url, account));

  const placed = async () => {
    const text = "SELECT count(*)::int FROM orders WHERE customer_email = 'apollo@example.com'";
    return (await postgres.sql(databaseUrl, text))[0].count;
  };
  show("Apollo Client", await run("apollo", service.url));
  const count = await placed();
  seen(`${CARTS} carts by both clients: ${count} orders`, count === CARTS);
  await service.stop();

  const trusting = { ...settings, GRAPHQL_DOCUMENTS: path.join(copy, DOCUMENTS) };
  const other = await Release.start({ databaseUrl, settings: trusting }, cleanup);
  show("Apollo Client, by hashes alone", await run("apollo", other.url, "--hashes"));
  const after = await placed();
  seen(`${CARTS} more carts: ${after} orders`, after === 2 * CARTS);
  await other.stop();
});

/** Copies the examples, and nothing that they could lean on, and installs their packages. */
async function install(copy, npm) {
  doing("npm ci in a copy of examples/");
  const filter = (file) => path.basename(file) !== "node_modules";
  await cp(path.join(ROOT, "examples"), copy, { recursive: true, filter });
  const started = performance.now();
  await npm("ci", "--no-audit", "--no-fund");
  seen(`installed in ${since(started)}`);
}

/** What the generated files contain, by name. */
async function contentsOf(copy) {
  const contents = new Map();
  for (const name of GENERATED) {
    const files = (await readdir(path.join(copy, name))).map((file) => path.join(name, file));
    for (const file of files) contents.set(file, await readFile(path.join(copy, file), "utf8"));
  }
  return contents;
}

function compare(before, after) {
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const isSame = before.get(name) === after.get(name);
    seen(`${name}: ${isSame ? "as committed" : "not as committed"}`, isSame);
  }
}

function show(title, output) {
  seen(title);
  for (const line of output.trim().split("\n")) console.log(`      ${line}`);
}
