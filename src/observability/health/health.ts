import { Router } from "express";
import { errorBody } from "../../http/answer/error-body";
import { labelled } from "../../http/request/request-context";
import { noStore } from "../../http/answer/headers";
import { isReady, readReadiness, type ReadinessOptions } from "./readiness";

export interface HealthOptions extends ReadinessOptions {
  readonly release: { readonly version: string; readonly commit: string };
}

/**
 * Health, to be mounted at `/health` (contract 11.health). `GET /health/live` answers 200 as long as the process
 * answers at all. `GET /health/ready` answers 200, or 503 in the error shape while requests should go to another
 * instance. With 200 and with 503, it says the state of each part.
 */
export function healthRoutes({ release, ...options }: HealthOptions): Router {
  const { version, commit } = release;
  const router = Router();
  router.use(noStore);
  router.get("/live", labelled("GET /health/live"), (_request, response) => {
    response.json({ status: "ok", version, commit });
  });
  router.get("/ready", labelled("GET /health/ready"), async (_request, response) => {
    const parts = await readReadiness(options);
    if (isReady(parts)) response.json({ status: "ready", parts });
    else {
      response
        .status(503)
        .set("Retry-After", "1")
        .json({ ...errorBody(503), parts });
    }
  });
  return router;
}
