import { access } from "./faults/access.mjs";
import { boughtAndPrices } from "./faults/bought-and-prices.mjs";
import { connections } from "./faults/connections.mjs";
import { database } from "./faults/database.mjs";
import { deliveries } from "./faults/deliveries.mjs";
import { erasure } from "./faults/erasure.mjs";
import { events } from "./faults/events.mjs";
import { files } from "./faults/files.mjs";
import { graphql } from "./faults/graphql.mjs";
import { keptCounts } from "./faults/kept-counts.mjs";
import { limits } from "./faults/limits.mjs";
import { lists } from "./faults/lists.mjs";
import { operations } from "./faults/operations.mjs";
import { orders } from "./faults/orders.mjs";
import { record } from "./faults/record.mjs";
import { replicas } from "./faults/replicas.mjs";
import { webhookOperation } from "./faults/webhook-operation.mjs";
import { webhooks } from "./faults/webhooks.mjs";

/**
 * The planted faults by area. Each is a mistake that a tired colleague might make, and that types and lint accept.
 * `tests` are the files that should notice it. The faults were chosen by reading src alone, without the tests. If no
 * test can notice a fault, `unseen` says why.
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
  "bought and prices": boughtAndPrices,
  deliveries,
  erasure,
  events,
  record,
  replicas,
  "webhook operation": webhookOperation,
  webhooks,
};
