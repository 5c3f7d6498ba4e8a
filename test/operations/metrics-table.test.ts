import { readFileSync } from "node:fs";
import path from "node:path";
import { createMetrics } from "../../src/observability/metrics";

const root = path.join(__dirname, "../..");
const page = readFileSync(path.join(root, "docs/monitoring.md"), "utf8");

/** Names and types as rows of the table have them. */
const documented = (): string[] =>
  [...page.matchAll(/^\| `(tea_\w+)` +\| (\w+)/gm)].map(([, name, type]) => `${name} ${type}`);

test("the table of metrics names each one that there is, with its type", async () => {
  const metrics = createMetrics();
  metrics.meter.watchPool(() => ({ size: 1, inUse: 0, waiting: 0, refused: 0 }));
  metrics.meter.watchReplicas(() => new Map());
  metrics.meter.watchProxies(() => false);
  metrics.meter.watchSequences(() => Promise.resolve(new Map()));
  metrics.meter.watchWebhooks(() => Promise.reject(new Error("no database")));
  const text = await metrics.text();
  const shown = [...text.matchAll(/^# TYPE (tea_\w+) (\w+)$/gm)].map(
    ([, name, type]) => `${name} ${type}`,
  );
  expect(documented().toSorted()).toEqual([...shown, "tea_workers gauge"].toSorted());
});

test("every alert asks for metrics that there are", () => {
  const rules = readFileSync(path.join(root, "deploy/prometheus-rules.yaml"), "utf8");
  const asked = [...rules.matchAll(/\btea_\w+/g)].map(([name]) => name.replace(/_bucket$/, ""));
  const there = documented().map((row) => row.split(" ")[0]);
  expect(asked.filter((name) => !there.includes(name))).toEqual([]);
  expect(asked).not.toEqual([]);
});
