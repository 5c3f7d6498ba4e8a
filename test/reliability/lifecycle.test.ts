import path from "node:path";
import { startProcess } from "../support/process";

const lifecycle = path.join(__dirname, "../../dist/process/lifecycle");

test("what a start opens after the signal to end is closed as well, and the start goes no further", async () => {
  const script = `
    const { once } = require("node:events");
    setInterval(() => {}, 1000); // keeps the process, as an open connection does
    require(${JSON.stringify(lifecycle)}).runProcess({
      start: async ({ onEnd }) => {
        onEnd(() => console.log("closed the first"));
        const asked = once(process, "SIGTERM");
        process.kill(process.pid, "SIGTERM");
        await asked;
        onEnd(() => console.log("closed the second"));
        console.log("went on");
      },
      report: ({ message }) => console.log(message),
      signals: ["SIGTERM"],
    });`;
  const child = startProcess(["-e", script]);
  expect(await child.ended).toEqual({ code: 0, signal: null });
  expect(child.printed()).toBe("closed the second\nclosed the first\n");
});
