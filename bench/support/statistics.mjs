/** The value below which this share of the values lies; NaN if there are none. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

export const median = (values) => quantile(values, 0.5);
export const p99 = (values) => quantile(values, 0.99);

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Welch's t of two samples: how far apart their means are, measured in their own scatter. */
export function welch(one, other) {
  const variance = (values) => {
    const centre = mean(values);
    return values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1);
  };
  const error = Math.sqrt(variance(one) / one.length + variance(other) / other.length);
  return (mean(one) - mean(other)) / error;
}

/** The slope of the straight line that fits points `[x, y]` best. */
export function slope(points) {
  const x0 = mean(points.map(([x]) => x));
  const y0 = mean(points.map(([, y]) => y));
  const covariance = points.reduce((sum, [x, y]) => sum + (x - x0) * (y - y0), 0);
  return covariance / points.reduce((sum, [x]) => sum + (x - x0) ** 2, 0);
}

/** How often each value occurs, most frequent first, such as `201 × 40, 503 × 2`. */
export function tally(values) {
  const counts = {};
  for (const value of values) addCounts(counts, { [value]: 1 });
  return countsText(counts);
}

/** Adds other counts by name to `counts`. */
export function addCounts(counts, others) {
  for (const [name, count] of Object.entries(others)) counts[name] = (counts[name] ?? 0) + count;
}

/** Counts by name as text, the highest first, such as `201 × 40, 503 × 2`. */
export const countsText = (counts) =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} × ${count}`)
    .join(", ");
