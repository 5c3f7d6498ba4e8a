import { access } from "./faults/access.mjs";
import { connections } from "./faults/connections.mjs";
import { database } from "./faults/database.mjs";
import { files } from "./faults/files.mjs";
import { graphql } from "./faults/graphql.mjs";
import { keptCounts } from "./faults/kept-counts.mjs";
import { limits } from "./faults/limits.mjs";
import { lists } from "./faults/lists.mjs";
import { operations } from "./faults/operations.mjs";
import { orders } from "./faults/orders.mjs";

/**
 * The planted faults by area. Each is what a tired colleague might write: it passes types and lint, and
 * `tests` are the files that should notice. They were chosen by reading src alone, without the tests.
 * What no test can notice says why in `unseen`.
 */
export const areas = {
  orders,
  access,
  limits,
  lists,
  "kept counts": keptCounts,
  database,
  files,
  graphql,
  operations,
  connections,
};
