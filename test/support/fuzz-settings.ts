import { repetitions } from "./repetitions";

/**
 * How often the property-based tests run and from which seed they generate, unless `FUZZ_RUNS` and `FUZZ_SEED` are
 * set. The same seed repeats a run.
 */
export function fuzzSettings(): { runs: number; seed: number } {
  const { FUZZ_RUNS, FUZZ_SEED = "20200229" } = process.env;
  const runs = Number(FUZZ_RUNS ?? repetitions({ few: 500, all: 2000 }));
  return { runs, seed: Number(FUZZ_SEED) };
}
