import { readdirSync } from "node:fs";
import { PassThrough } from "node:stream";
import { writeOutput } from "../../src/cli/files/output";
import { useFolder } from "./folder";

const folder = useFolder();
const LONG = "slow,".repeat(50_000); // more than one write
const io = {} as Parameters<typeof writeOutput>[2]; // is for standard output alone

/** Begins to write a file, writes all of it by another export, and then ends the first one. */
async function writeTwice(name: string, overwrites: boolean): Promise<void> {
  const slow = new PassThrough({ encoding: "utf8" });
  const quick = new PassThrough({ encoding: "utf8" });
  const target = { file: folder.path(name), overwrites };
  const first = writeOutput(target, slow, io);
  slow.write(LONG);
  const second = writeOutput(target, quick, io);
  quick.end("quick");
  await second;
  expect(folder.read(name).slice(0, 20)).toBe("quick");
  slow.end("slow");
  return first;
}

afterEach(() => {
  expect(readdirSync(folder.path(".")).filter((name) => name.includes("partial"))).toEqual([]);
});

test("of two exports into one file at once, each leaves it whole, and the later one stays", async () => {
  await writeTwice("orders.csv", true);
  expect(folder.read("orders.csv") === `${LONG}slow`).toBe(true);
});

test("of two into a new file, neither of which may overwrite, the earlier one stays", async () => {
  await expect(writeTwice("new.csv", false)).rejects.toThrow(/new.csv exists already: add --force/);
  expect(folder.read("new.csv")).toBe("quick");
});
