import { tally } from "./statistics.mjs";

/** An observation, and whether it keeps the promise. Without a judgement, it is only reported. */
export const seen = (text, passed = true) => ({ text, passed });

/** An observation of what there must be none of. */
export const none = (what, values) =>
  seen(values.length === 0 ? `${what}: 0` : `${what}: ${tally(values)}`, values.length === 0);

/** The observations of an audit: all of them must be zero. */
export const auditFindings = ({ stored, lost, doubled, incomplete, wrongTotals }) => [
  seen(`${stored} orders stored`),
  seen(`lost ${lost}`, lost === 0),
  seen(`twice ${doubled}`, doubled === 0),
  seen(`without all items ${incomplete}`, incomplete === 0),
  seen(`wrong totals ${wrongTotals}`, wrongTotals === 0),
];

/** Milliseconds or seconds for people. */
export const duration = (ms) =>
  ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
