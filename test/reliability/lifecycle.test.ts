/** @check */

import path from "node:path";
import { startProcess } from "../support/process";

const LIFECYCLE = path.join(__dirname, "../../dist/process/lifecycle");

/** Runs a process whose start is this; resolves with its exit code and output. */
async function run(start: string, later = ""): Promise<[code: number | null, printed: string]> {
  const child = startProcess([
    "-e",
    `const { once } = require("node:events");
     require(${JSON.stringify(LIFECYCLE)}).runProcess({
       start: async ({ onEnd }) => { ${start} },
       report: ({ message }) => console.log(message),
       signals: ["SIGTERM"],
     });
     ${later}`,
  ]);
  const { code } = await child.ended;
  return [code, child.printed()];
}

test("what a start opens after the signal to end is closed as well, and the start goes no further", async () => {
  const start = `
    setInterval(() => {}, 1000); // keeps the process, as an open connection does
    onEnd(() => console.log("closed the first"));
    const asked = once(process, "SIGTERM");
    process.kill(process.pid, "SIGTERM");
    await asked;
    onEnd(() => console.log("closed the second"));
    console.log("went on");`;
  expect(await run(start)).toEqual([0, "closed the second\nclosed the first\n"]);
});

test.each([
  ["uncaughtException", "throw new Error('boom')"],
  ["unhandledRejection", "Promise.reject(new Error('boom'))"],
])("%s is reported, everything is closed, and the exit code is not 0", async (_name, fault) => {
  const start = `
    onEnd(() => console.log("closed"));
    onEnd(() => Promise.reject(new Error("stuck")));`;
  const printed = "boom\nstuck\nclosed\n";
  expect(await run(start, `setTimeout(() => { ${fault} });`)).toEqual([1, printed]);
});
