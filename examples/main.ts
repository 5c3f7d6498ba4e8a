// Runs a tour: npm run rest | graphql [-- <address of the shop> [file with an administrator's e-mail and password]]
import { readFile } from "node:fs/promises";
import { tour as graphql } from "./graphql/tour";
import { tour as rest } from "./rest/tour";
import type { Credentials } from "./session";

async function main([door, url = "http://localhost:3000", file]: string[]): Promise<void> {
  const tour = door === "graphql" ? graphql : rest;
  const account = file === undefined ? undefined : await readFile(file, "utf8");
  const credentials = account === undefined ? undefined : (JSON.parse(account) as Credentials);
  await tour(url, credentials, (line) => console.log(line));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
