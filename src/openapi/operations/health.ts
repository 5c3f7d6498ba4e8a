import { jsonAnswer, openOperation, type PathItem } from "../path";
import { refusalResponse } from "../refusals";
import { object, oneOf } from "../schema";

const tag = "Service";

const live = object<{ status: "ok" }>({ status: oneOf("Always this text.", ["ok"]) });
const ready = object<{ status: "ready" }>({ status: oneOf("Always this text.", ["ready"]) });

/** What load balancers and supervisors ask (contract 11.health). */
export const healthPaths: Readonly<Record<string, PathItem>> = {
  "/health/live": {
    get: openOperation(
      { operationId: "live", tag, summary: "Does the process answer?" },
      { 200: jsonAnswer("It does.", live, { status: "ok" }, ["No-Store"]) },
      ["No-Store"],
    ),
  },
  "/health/ready": {
    get: openOperation(
      { operationId: "ready", tag, summary: "Can requests be served now?" },
      {
        200: jsonAnswer("They can.", ready, { status: "ready" }, ["No-Store"]),
        503: refusalResponse(503, [], ["No-Store"]),
      },
      ["No-Store"],
    ),
  },
};
