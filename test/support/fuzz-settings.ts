/** How long the property-based tests run and what they generate; the same seed repeats a run. */
export function fuzzSettings(): { runs: number; seed: number } {
  const { FUZZ_RUNS = "2000", FUZZ_SEED = "20200229" } = process.env;
  return { runs: Number(FUZZ_RUNS), seed: Number(FUZZ_SEED) };
}
