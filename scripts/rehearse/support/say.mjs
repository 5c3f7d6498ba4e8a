/** Says what is being done. */
export const doing = (text) => console.log(`  … ${text}`);

/** Says what was seen; the part fails where it is not as it should be. */
export function seen(text, isRight = true) {
  console.log(`  ${isRight ? "✓" : "✗"} ${text}`);
  if (!isRight) process.exitCode = 1;
}

/** `1.23 s`, since a value of performance.now(). */
export const since = (started) => `${((performance.now() - started) / 1000).toFixed(2)} s`;
