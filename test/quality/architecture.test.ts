import { readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(__dirname, "../..");
const architecture = readFileSync(path.join(root, "docs/architecture.md"), "utf8");

interface Rule {
  readonly name: string;
  readonly to: { readonly pathNot?: string };
}
const { forbidden } = jest.requireActual<{ forbidden: readonly Rule[] }>(
  path.join(root, ".dependency-cruiser.cjs"),
);

/** The rooms that the picture leaves out: where processes start, with what they start, and what any room may use. */
const starts = ["main", "local", "cli", "embedded-postgres"];
const vocabulary = ["vocabulary"];

/** The imports that the rules allow, each as an arrow of the picture. */
function allowed(): string[] {
  const names = new Set(forbidden.map(({ name }) => name));
  return forbidden.flatMap(({ name, to }) => {
    const [, room] = /^([a-z-]+)-imports$/.exec(name) ?? [];
    const [, imports] = /^\^src\/\(([a-z|-]+)\)/.exec(to.pathNot ?? "") ?? [];
    if (room === undefined || imports === undefined || starts.includes(room)) return [];
    return imports
      .split("|")
      .filter((each) => each !== room && !vocabulary.includes(each))
      .map((each) => `${room} ${names.has(`${name}-${each}-as-types`) ? "-.->" : "-->"} ${each}`);
  });
}

test("the picture of the rooms shows what the import rules allow", () => {
  const drawn = architecture.match(/^ +[a-z-]+ -(-|\.-)> [a-z-]+$/gm) ?? [];
  expect(drawn.map((arrow) => arrow.trim()).sort()).toEqual(allowed().sort());
});

test("the picture shows every room", () => {
  const rooms = forbidden.flatMap(({ name }) => /^([a-z-]+)-imports$/.exec(name)?.[1] ?? []);
  const drawn = rooms.filter((room) => !starts.includes(room));
  expect(
    drawn.filter((room) => !architecture.includes(`${room}: `) && !vocabulary.includes(room)),
  ).toEqual([]);
});
