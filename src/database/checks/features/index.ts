import type { Feature } from "./feature";
import { sessions } from "./sessions";
import { statements } from "./statements";
import { triggers } from "./triggers";

/** All that the service needs of a database, beside what every SQL database has. */
export const features: readonly Feature[] = [...triggers, ...sessions, ...statements];
