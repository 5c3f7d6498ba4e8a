export const operations = [
  {
    name: "an address that is percent-encoded three times is logged",
    file: "src/operations/masks.ts",
    find: 'while (text.startsWith("25", digits)) digits += 2;',
    replace: 'if (text.startsWith("25", digits)) digits += 2;',
    tests: ["test/operations/masks.test.ts"],
  },
  {
    name: "a secret that the end of a long path cuts is logged",
    file: "src/operations/request-log.ts",
    find: "text.slice(0, PATH_LENGTH)",
    replace: "path.slice(0, PATH_LENGTH)",
    tests: ["test/security/logs.test.ts"],
  },
  {
    name: "histograms lose what an ended worker had counted",
    file: "src/operations/metrics/snapshots.ts",
    find: '["counter", "histogram"].includes(String(type))',
    replace: 'String(type) === "counter"',
    tests: ["test/operations/metrics-server.test.ts"],
    built: true,
  },
  {
    name: "a duration that equals a bound is beyond it",
    file: "src/operations/metrics/durations.ts",
    find: "seconds <= bound",
    replace: "seconds < bound",
    tests: ["test/operations/durations.test.ts"],
  },
  {
    name: "each scrape adds all refused requests to the counter once more",
    file: "src/operations/metrics/prometheus-meter.ts",
    find: "        this.reset();\n",
    replace: "",
    tests: ["test/operations/shop-metrics.test.ts"],
  },
];
