import type { ReadinessParts } from "../../observability/health/readiness";
import { jsonAnswer, openOperation, type PathItem } from "../path";
import { refusalResponse, withProperties } from "../refusals";
import { object, oneOf, text } from "../schema";

const tag = "Service";

const live = object<{ status: "ok"; version: string; commit: string }>({
  status: oneOf("Always this text.", ["ok"]),
  version: text("The version of the service."),
  commit: text("The commit that it was built from, or `unknown`."),
});

const parts = object<ReadinessParts>({
  database: oneOf("`busy`: too many requests wait for a connection.", ["up", "down", "busy"]),
  migrations: oneOf("`unknown` if the database can't be asked.", ["applied", "pending", "unknown"]),
  draining: oneOf("`yes` once the process has been told to end.", ["no", "yes"]),
});

const ready = object<{ status: "ready"; parts: ReadinessParts }>({
  status: oneOf("Always this text.", ["ready"]),
  parts,
});

const up: ReadinessParts = { database: "up", migrations: "applied", draining: "no" };
const down: ReadinessParts = { database: "down", migrations: "unknown", draining: "no" };

/** The paths for load balancers and supervisors (contract 11.health). */
export const healthPaths: Readonly<Record<string, PathItem>> = {
  "/health/live": {
    get: openOperation(
      { operationId: "live", tag, ignoresBody: true, summary: "Does the process answer?" },
      {
        200: jsonAnswer(
          "It does.",
          live,
          { status: "ok", version: "0.1.0", commit: "3f9c2a1b7d04" },
          ["No-Store"],
        ),
      },
      ["No-Store"],
    ),
  },
  "/health/ready": {
    get: openOperation(
      { operationId: "ready", tag, summary: "Can requests be served now?" },
      {
        200: jsonAnswer("They can.", ready, { status: "ready", parts: up }, ["No-Store"]),
        503: {
          ...refusalResponse(503, [], ["No-Store"]),
          content: withProperties(503, { parts }, { parts: down }),
        },
      },
      ["No-Store"],
    ),
  },
};
