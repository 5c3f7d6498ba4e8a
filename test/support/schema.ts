import { createSchema } from "../../src/graphql/schema/schema";
import type { Services } from "../../src/services";

/** The schema for those who only look at it: behind its resolvers there are no services. */
export const schema = createSchema({} as Services);
