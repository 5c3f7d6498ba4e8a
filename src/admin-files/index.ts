import { Router, type RequestHandler } from "express";
import type { ErrorReports } from "../http/answer/failure-report";
import { noStore } from "../http/answer/headers";
import { bearerToken } from "../http/request/request-headers";
import { addressOf } from "../http/request/client-address";
import {
  labelled,
  nameAdministrator,
  nameOperation,
  writeContextOfRequest,
} from "../http/request/request-context";
import type { Services } from "../services";
import { fileOperations } from "../services/operations";
import { setWriteContext } from "../vocabulary/current-work";
import { exporting } from "./export-route";
import * as lists from "./exports";
import { importing } from "./import-route";

/** The files of the administrators' app, to be mounted at `/admin`: exports of lists, and the import of a catalogue. */
export function adminFileRoutes(services: Services, reports: ErrorReports): Router {
  const router = Router();
  const { orders, products, subscribers } = lists;
  const admit = admitting(services);
  const get = (name: string, admitted: RequestHandler, handler: RequestHandler): void => {
    const label = labelled(`GET /admin/export/${name}`);
    router.get(`/export/${name}`, noStore, label, admitted, handler);
  };
  const { exportOrders, exportProducts, exportSubscribers, importCatalogue } = fileOperations;
  get("orders", admit("export", exportOrders), exporting("orders", orders, services));
  get("products", admit("export", exportProducts), exporting("products", products, services));
  get(
    "subscribers",
    admit("export", exportSubscribers),
    exporting("subscribers", subscribers, services),
  );
  const importFile = importing(services, reports);
  const label = labelled("POST /admin/import");
  router.post("/import", noStore, label, admit("import", importCatalogue), importFile);
  return router;
}

type FileOperation = (typeof fileOperations)[keyof typeof fileOperations];

/** Lets administrators pass, before anything of the body is read, and sets the write context. */
const admitting =
  ({ authentication }: Pick<Services, "authentication">) =>
  (operation: string, demands: FileOperation): RequestHandler =>
  async (request, _response, next) => {
    nameOperation(operation);
    const { id, email } = await authentication.authorize(
      bearerToken(request),
      demands.access,
      demands,
    );
    nameAdministrator(id, email);
    const address = addressOf(request);
    setWriteContext(writeContextOfRequest({ door: "REST", operation, address, isPublic: false }));
    next();
  };
