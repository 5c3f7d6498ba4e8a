import type { Feature } from "./feature";
import { migrations } from "./migrations";
import { procedures } from "./procedures";
import { sessions } from "./sessions";
import { statements } from "./statements";
import { tables } from "./tables";
import { triggers } from "./triggers";

/** All that the service needs of a database, beside what every SQL database has. */
export const features: readonly Feature[] = [
  ...migrations,
  ...tables,
  ...triggers,
  ...procedures,
  ...sessions,
  ...statements,
];
