import { createSchema } from "../../src/graphql/schema/schema";
import type { Services } from "../../src/services";

/** The schema for tests that only look at it: its resolvers have no services. */
export const schema = createSchema({} as Services);
