import { repetitions } from "./repetitions";

/**
 * How long the property-based tests run and what they generate, where `FUZZ_RUNS` and `FUZZ_SEED` say nothing
 * else; the same seed repeats a run.
 */
export function fuzzSettings(): { runs: number; seed: number } {
  const { FUZZ_RUNS, FUZZ_SEED = "20200229" } = process.env;
  const runs = Number(FUZZ_RUNS ?? repetitions({ few: 500, all: 2000 }));
  return { runs, seed: Number(FUZZ_SEED) };
}
