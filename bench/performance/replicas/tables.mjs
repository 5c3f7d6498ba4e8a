import { markdown, verdict } from "../page/markdown.mjs";

const whole = (value) => String(Math.round(value));
const short = (value) => value.toFixed(2);

/** Reads from one database beside reads from two replicas. */
export const replicasTable = (rows) =>
  markdown(
    [
      "Path",
      "Requests/s, one database",
      "With two replicas",
      "Ratio",
      "CPU of the primary, µs: one database",
      "With two replicas",
      "Ratio",
      "CPU of the replicas, µs",
      "Target",
      "",
    ],
    rows.map(({ title, before, after, atMost }) => {
      const share = after.primary / before.primary;
      return [
        ...[title, whole(before.rate), whole(after.rate), short(after.rate / before.rate)],
        ...[whole(before.primary), whole(after.primary), short(share), whole(after.replicas)],
        ...(atMost === undefined
          ? ["", ""]
          : [`primary ≤ ${atMost} of before`, verdict(share <= atMost)]),
      ];
    }),
  );
