import { repetitions } from "./repetitions";

/**
 * How often a test alternates changes and reads of the catalogue. The service promises 10,000 rounds; by default the
 * tests show a part of them, and `CATALOGUE_ROUNDS=10000` shows all.
 */
export const catalogueRounds = (): number =>
  Number(process.env.CATALOGUE_ROUNDS ?? repetitions({ few: 120, all: 400 }));
