import { readFileSync } from "node:fs";
import path from "node:path";
import { localSettings, productionSettings } from "../../src/config";
import { formerSettings } from "../../src/config/read-settings";
import { EXAMPLE_SECRET } from "../../src/config/text-forms";
import { faultsOf } from "./faults";

/** The variables that the configuration asks for, whatever it does with them. */
function variablesRead(): Set<string> {
  const names = new Set<string>();
  const noteName = (_: object, name: string | symbol): undefined => {
    names.add(String(name));
  };
  const environment = new Proxy<Record<string, string>>({}, { get: noteName });
  localSettings(environment);
  faultsOf(() => productionSettings(environment));
  for (const name of formerSettings) names.delete(name);
  return names;
}

/** Any text will do for these. */
const free = new Set(["HOST", "DATA_DIR", "CORS_HEADERS"]);

test("no variable takes nonsense, whichever it is", () => {
  for (const name of variablesRead()) {
    if (free.has(name)) continue;
    const faults = faultsOf(() => localSettings({ [name]: "no-sense" }));
    expect([name, faults.some((fault) => fault.startsWith(name))]).toEqual([name, true]);
  }
});

test("an empty variable counts as not set, whichever it is", () => {
  const empty = Object.fromEntries([...variablesRead()].map((name) => [name, ""]));
  expect(localSettings(empty)).toEqual(localSettings({}));
  expect(faultsOf(() => productionSettings(empty))).toEqual(faultsOf(() => productionSettings({})));
});

/** The variables of `.env.example` with their values; those that have a default stand there as comments. */
function exampleAssignments(): { name: string; value: string }[] {
  const text = readFileSync(path.join(__dirname, "../../.env.example"), "utf8");
  const matches = [...text.matchAll(/^(?:# ?)?([A-Z][A-Z0-9_]*)=(.*)$/gm)];
  return matches.map(([, name = "", value = ""]) => ({ name, value }));
}

test(".env.example lists every setting once, and nothing else", () => {
  const listed = exampleAssignments().map(({ name }) => name);
  const documented = new Set([...variablesRead(), "TEST_DATABASE_URL"]);
  expect(listed.toSorted()).toEqual([...documented].toSorted());
});

test(".env.example holds the published secret, and no other", () => {
  const secrets = exampleAssignments().filter(({ name }) => name === "JWT_SECRET");
  expect(secrets).toEqual([{ name: "JWT_SECRET", value: EXAMPLE_SECRET }]);
});

test("docs/settings.md lists the same settings", () => {
  const page = readFileSync(path.join(__dirname, "../../docs/settings.md"), "utf8");
  const rows = [...page.matchAll(/^\| `([A-Z][A-Z0-9_]*)` /gm)].map(([, name = ""]) => name);
  expect(rows.toSorted()).toEqual(
    exampleAssignments()
      .map(({ name }) => name)
      .toSorted(),
  );
});
