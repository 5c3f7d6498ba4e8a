import "../process/compile-cache";
import "reflect-metadata";
import { processEnvironment } from "../config";
import { run } from "./run";

const { stdin, stdout, stderr } = process;

void run(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  /** Read by the commands that need it, so that they say what is wrong with `.env`. */
  get environment() {
    return processEnvironment();
  },
}).then((exitCode) => {
  process.exitCode = exitCode;
});
