import { repetitions } from "./repetitions";

/**
 * Rounds of the alternation of changes and reads. The service promises 10,000; by default the tests show a
 * part of them, and `CATALOGUE_ROUNDS=10000` shows all.
 */
export const catalogueRounds = (): number =>
  Number(process.env.CATALOGUE_ROUNDS ?? repetitions({ few: 120, all: 400 }));
