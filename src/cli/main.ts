import "../process/compile-cache";
import "reflect-metadata";
import { processEnvironment } from "../config";
import { run } from "./run";

const { stdin, stdout, stderr } = process;

void run(process.argv.slice(2), { stdin, stdout, stderr, ...processEnvironment() }).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
);
