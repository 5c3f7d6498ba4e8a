const tests = ["test/reliability/replicas.test.ts"];

/** Reads from replicas: who was told what, and which database is asked. */
export const replicas = [
  {
    name: "a process forgets what it has changed itself",
    file: "src/reads/replicas.ts",
    find: "this.changed = later(position, this.changed);",
    replace: "void later(position, this.changed);",
    tests,
  },
  {
    name: "what a client was told elsewhere does not count",
    file: "src/reads/replicas.ts",
    find: "return later(needed, asked);",
    replace: "return needed;",
    tests,
  },
  {
    name: "a position that nobody has signed counts",
    file: "src/reads/session-positions.ts",
    find: "return isSigned ? position",
    replace: "return isSigned || position.place > 0n ? position",
    tests,
  },
  {
    name: "a place of another timeline is compared",
    file: "src/reads/position.ts",
    find: "  position.timeline === needed.timeline &&\n",
    replace: "",
    tests,
    unseen:
      "A replica of another timeline is left out for other reasons in the tests: it is promoted, or it has not the place.",
  },
  {
    name: "what is below a mutation comes from a replica",
    file: "src/graphql/schema/decorators/operation.ts",
    find: "turn?.leave();",
    replace: "if (turn?.hasFailed) turn.leave();",
    tests,
  },
  {
    name: "the longest lag is not kept",
    file: "src/reads/replicas.ts",
    find: "this.isUncertain || age > maxLag)",
    replace: "this.isUncertain || age > maxLag + 60_000)",
    tests,
  },
  {
    name: "kept answers of one database are given for another",
    file: "src/reads/read-pool.ts",
    find: "const known = this.made.get(database);",
    replace: "const [known] = this.all;",
    tests,
  },
  {
    name: "a request is not repeated when its replica fails",
    file: "src/rest/replicas.ts",
    find: "if (!turn.note(error) || response.headersSent",
    replace: "if (turn.note(error) || response.headersSent",
    tests,
  },
  {
    name: "a replica that failed is never read again",
    file: "src/reads/replica.ts",
    find: "        this.isLeftOut = false;\n        this.report(true);",
    replace: "        this.report(true);",
    tests,
  },
  {
    name: "requests with tags take turns over the replicas",
    file: "src/reads/replicas.ts",
    find: "const first = hasTag ? 0 : (this.turn += 1);",
    replace: "const first = (this.turn += hasTag ? 1 : 1);",
    tests,
  },
  {
    name: "a replica that has crashed is read before it has what it had",
    file: "src/reads/replica.ts",
    find: "if (position && !isBehind(position, this.had)) return;",
    replace: "if (position && (isBehind(position, this.had) || true)) return;",
    tests,
  },
  {
    name: "the version of the catalogue is not asked of the primary when a replica hangs",
    file: "src/graphql/response-cache-plugin.ts",
    find: "const isRepeated = contextValue.turn?.note(error);",
    replace: "const isRepeated = false;",
    tests,
  },
  {
    name: "a change counts only if its place in the log is known",
    file: "src/reads/replicas.ts",
    find: "      this.isUncertain = true;\n",
    replace: "",
    tests,
  },
];
