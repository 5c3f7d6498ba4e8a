import { readdirSync } from "node:fs";
import { PassThrough } from "node:stream";
import { writeOutput } from "../../src/cli/files/output";
import { useFolder } from "./folder";

const folder = useFolder();
const LONG = "slow,".repeat(50_000); // more than one write
const io = {} as Parameters<typeof writeOutput>[2]; // is for standard output alone

test("of two exports into one file at once, each leaves it whole, and the later one stays", async () => {
  const slow = new PassThrough({ encoding: "utf8" });
  const quick = new PassThrough({ encoding: "utf8" });
  const file = folder.path("orders.csv");
  const first = writeOutput(file, slow, io);
  slow.write(LONG);
  const second = writeOutput(file, quick, io);
  quick.end("quick");
  await second;
  expect(folder.read("orders.csv").slice(0, 20)).toBe("quick");
  slow.end("slow");
  await first;
  expect(folder.read("orders.csv") === `${LONG}slow`).toBe(true);
  expect(readdirSync(folder.path("."))).toEqual(["orders.csv"]);
});
