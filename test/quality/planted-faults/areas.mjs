/**
 * The planted faults by area. Each is what a tired colleague might write: it passes types and lint, and
 * `tests` are the files that should notice. What no test can notice says why in `unseen`.
 */
export const areas = {
  graphql: [
    {
      name: "a cost that is the limit is refused",
      file: "src/graphql/limits/operation-limits.ts",
      find: "cost > limits.maxCost",
      replace: "cost >= limits.maxCost",
      tests: ["test/graphql/cost.test.ts", "test/graphql/hostile.test.ts"],
    },
    {
      name: "aliases are free",
      file: "src/graphql/limits/measure-operation.ts",
      find: "aliases: node.alias ? 1 : 0",
      replace: "aliases: node.alias ? 0 : 0",
      tests: ["test/graphql/hostile.test.ts"],
    },
  ],
};
