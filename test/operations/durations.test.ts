import { createMetrics } from "../../src/observability/metrics";
import { seriesIn } from "./series";

const metrics = createMetrics();

/** How many durations are at most as long as each bound. */
async function upTo(name: string, bounds: readonly string[], labels = ""): Promise<unknown[]> {
  const series = seriesIn((await metrics.text()).text);
  return bounds.map((le) => {
    const own = labels === "" ? `le="${le}"` : `${labels},le="${le}"`;
    return series.get(`${name}_bucket{${own}}`);
  });
}

// An alert on "all within 250 ms" asks the bucket of that bound, which Prometheus calls `le`.
test("a duration that equals a bound is within it", async () => {
  metrics.meter.requestsOf("rest", "GET /teas").add(200, 0.25);
  metrics.meter.statementEnded("read teas", 0.25, false);
  metrics.meter.loginWaited(0.25);

  const request = ["tea_request_duration_seconds", ["0.1", "0.25", "+Inf"]] as const;
  expect(await upTo(...request, 'door="rest",operation="GET /teas"')).toEqual([0, 1, 1]);
  const statement = ["tea_database_statement_duration_seconds", ["0.05", "0.25", "+Inf"]] as const;
  expect(await upTo(...statement, 'statement="read teas"')).toEqual([0, 1, 1]);
  expect(await upTo("tea_login_wait_seconds", ["0.1", "0.25", "+Inf"])).toEqual([0, 1, 1]);
});

test("a duration beyond the last bound counts without one", async () => {
  metrics.meter.requestsOf("rest", "GET /slow").add(200, 5.001);
  const request = ["tea_request_duration_seconds", ["5", "+Inf"]] as const;
  expect(await upTo(...request, 'door="rest",operation="GET /slow"')).toEqual([0, 1]);
});
