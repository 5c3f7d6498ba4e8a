import { cpuTime } from "../../support/cpu-time.mjs";
import { call } from "../../support/http.mjs";
import { duration, seen } from "../../support/report.mjs";

/** The default of BODY_LIMIT. */
const LENGTH = 100 * 1024;

/** How many times as much a body may cost as one of short integers. */
const MOST = 2;

/** An array of one element, as long as a body may be. */
const filledWith = (element) =>
  `{"items":[${Array(Math.floor((LENGTH - 12) / (element.length + 1)))
    .fill(element)
    .join()}]}`;

const shapes = {
  "short integers": filledWith("1"),
  "numbers beyond a double": filledWith("1e309"),
  "numbers below a double": filledWith("1e-400"),
  "numbers of 17 digits": filledWith("12345678901234567"),
  "one number": `{"items":${"1".repeat(LENGTH - 12)}}`,
  "objects of long numbers": filledWith('{"a":1e309}'),
  "objects of short numbers": filledWith('{"a":1}'),
  "nested arrays": `{"items":${"[".repeat(LENGTH / 2 - 8)}${"]".repeat(LENGTH / 2 - 8)}}`,
  "a text": `{"items":"${"a".repeat(LENGTH - 14)}"}`,
  "escapes in a text": `{"items":"${"\\u0061".repeat(LENGTH / 6 - 4)}"}`,
};

export const bodies = {
  title: "No body costs much more than one of short integers",
  async run(stage, { short }) {
    await stage.set();
    const service = await stage.start();
    const runs = short ? 100 : 500;
    const send = (text) => call(service.url, { method: "POST", path: "/orders", body: text });
    const costOf = async (text) => {
      const before = await cpuTime(service.pid);
      for (let run = 0; run < runs; run += 1) {
        const { status } = await send(text);
        if (status !== 400 && status !== 429) throw new Error(`${status}`);
      }
      return ((await cpuTime(service.pid)) - before) / runs;
    };
    const costs = [];
    for (const [title, text] of Object.entries(shapes)) {
      await costOf(text); // warm up
      costs.push({ title, cost: await costOf(text) });
    }
    const [{ cost: least }] = costs;
    return {
      done: `bodies of ${LENGTH} bytes to POST /orders, ${runs} of each; CPU of the service's process`,
      findings: costs.map(({ title, cost }) =>
        seen(`${title} ${duration(cost)}`, cost <= MOST * least),
      ),
    };
  },
};
