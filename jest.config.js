const { existsSync } = require("node:fs");
const checkOnly = require("./test/support/jest/check-only.js");

/** Whether files that begin with the line "@check" are run: in `npm run check`, and where files or folders are named. */
const isWhole =
  process.env.TEST_REPETITIONS === "all" || process.argv.slice(2).some((word) => existsSync(word));

/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "<rootDir>/test/support/jest/environment.js",
  runtime: "<rootDir>/test/support/jest/runtime.js",
  roots: ["<rootDir>/test"],
  testMatch: ["**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/", ...(isWhole ? [] : checkOnly)],
  setupFiles: ["reflect-metadata"],
  globalSetup: "<rootDir>/test/support/global-setup.ts",
  globalTeardown: "<rootDir>/test/support/global-teardown.ts",
  maxWorkers: 3,
  testTimeout: 30_000,
  randomize: false,

  transform: { "\\.[jt]s$": "@swc/jest" },
  // Packages that come as ES modules only.
  transformIgnorePatterns: ["/node_modules/(?!sql-template-tag/)"],

  coverageDirectory: "coverage",
  // Counts lines that execute; v8 counts comments and types as covered, too.
  coverageProvider: "babel",
  coverageReporters: ["text-summary", "lcov"],
  collectCoverageFrom: ["src/**/*.ts"],
  coverageThreshold: {
    "./src/services/": { lines: 95 },
    "./src/lists/": { lines: 95 },
    "./src/reads/": { lines: 95 },
    "./src/rest/": { lines: 95 },
  },
};
