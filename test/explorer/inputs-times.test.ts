import { execFileSync } from "node:child_process";
import path from "node:path";
import { buildSync } from "esbuild";

const times = path.join(__dirname, "../../src/explorer/client/inputs/times.ts");

interface Asked {
  readonly zone: string;
  readonly instants?: readonly unknown[];
  readonly locals?: readonly string[];
}

/** What a reader in the zone sees and means; a process has one zone, so another one answers. */
function inZone({ zone, instants = [], locals = [] }: Asked) {
  const { outputFiles } = buildSync({
    stdin: {
      contents: `import { instantOf, localOf } from ${JSON.stringify(times)};
        const { instants, locals } = JSON.parse(process.argv[1]);
        console.log(JSON.stringify({
          locals: instants.map((each) => localOf(each) ?? null),
          instants: locals.map((each) => instantOf(each) ?? null),
        }));`,
      resolveDir: __dirname,
    },
    bundle: true,
    write: false,
    format: "cjs",
  });
  const asked = JSON.stringify({ instants, locals });
  const output = execFileSync(process.execPath, ["-e", outputFiles[0]!.text, asked], {
    env: { TZ: zone },
    encoding: "utf8",
  });
  return JSON.parse(output) as { locals: unknown[]; instants: unknown[] };
}

test("a picked time is an instant in UTC, in winter and in summer", () => {
  const locals = ["2026-01-31T09:30", "2026-07-01T00:00", "2026-07-01T00:00:05"];
  const instants = [
    "2026-01-31T08:30:00.000Z",
    "2026-06-30T22:00:00.000Z",
    "2026-06-30T22:00:05.000Z",
  ];
  expect(inZone({ zone: "Europe/Berlin", instants, locals })).toEqual({ locals, instants });
  expect(inZone({ zone: "Asia/Kathmandu", locals: ["2026-01-31T09:30"] }).instants).toEqual([
    "2026-01-31T03:45:00.000Z",
  ]);
});

test("a time that clocks skip is as much later as they are set forward", () => {
  const { instants } = inZone({
    zone: "Europe/Berlin",
    locals: ["2026-03-29T01:59", "2026-03-29T02:30", "2026-03-29T03:00"],
  });
  expect(instants).toEqual([
    "2026-03-29T00:59:00.000Z",
    "2026-03-29T01:30:00.000Z",
    "2026-03-29T01:00:00.000Z",
  ]);
});

test("a time that comes twice is the first, and the second is no picker's", () => {
  const asked = {
    zone: "Europe/Berlin",
    locals: ["2026-10-25T02:30"],
    instants: ["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z", "2026-10-25T02:30:00.000Z"],
  };
  expect(inZone(asked)).toEqual({
    instants: ["2026-10-25T00:30:00.000Z"],
    locals: ["2026-10-25T02:30", null, "2026-10-25T03:30"],
  });
});

test("what a picker would change is not a picker's", () => {
  const instants = [
    "2026-01-31T08:30:00Z",
    "2026-01-31T08:30:00.001Z",
    "2026-02-30T08:30:00Z",
    "2026-01-31T09:30:00+01:00",
    "2026-01-31",
    "+012026-01-31T08:30:00Z",
    "tomorrow",
    1769848200000,
    null,
  ];
  expect(inZone({ zone: "UTC", instants }).locals).toEqual([
    "2026-01-31T08:30",
    ...Array.from({ length: instants.length - 1 }, () => null),
  ]);
  expect(inZone({ zone: "UTC", locals: ["", "2026-01-31", "2026-13-01T00:00"] }).instants).toEqual([
    null,
    null,
    null,
  ]);
});
