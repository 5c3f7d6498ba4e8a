import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

export const ROOT = path.join(import.meta.dirname, "../../..");

/** What npm tells the scripts it runs would confuse those of another folder. */
const OF_NPM = /^npm_(?!config_(registry|cache|userconfig|globalconfig)$)/i;

/** This process's environment, as a shell outside of npm has it. */
export const environment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_NPM.test(name)));

/** The end of what a program prints that tells why it failed. */
const TAIL = 4000;

/** Runs a program to its end; resolves with its output, and rejects with it if the program fails. */
export async function program(command, args, options = {}) {
  const child = spawn(command, args, {
    env: environment(),
    ...options,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  }
  const [code, signal] = await once(child, "close");
  if (code === 0) return output;
  const what = [command, ...args].join(" ");
  throw new Error(`${what} ended with ${code ?? signal}:\n${output.slice(-TAIL)}`);
}
