import { Router } from "express";
import { errorBody } from "../http/error-body";
import { noStore } from "../http/headers";

export interface HealthOptions {
  /** Whether requests can be served now; a rejection counts as no. */
  readonly ready: () => Promise<boolean>;
}

/**
 * Health, to be mounted at `/health`. `GET /health/live` answers 200 as long as the process answers at all. `GET /health/ready` answers 200, or
 * 503 in the error shape while requests should go to another instance.
 */
export function healthRoutes({ ready }: HealthOptions): Router {
  const router = Router();
  router.use(noStore);
  router.get("/live", (_request, response) => {
    response.json({ status: "ok" });
  });
  router.get("/ready", async (_request, response) => {
    if (await ready().catch(() => false)) response.json({ status: "ready" });
    else response.status(503).set("Retry-After", "1").json(errorBody(503));
  });
  return router;
}
