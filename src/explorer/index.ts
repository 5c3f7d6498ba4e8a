import path from "node:path";
import { Router, type RequestHandler } from "express";
import { assets } from "./assets";
import { pageFrom } from "./page";

export { browserToExplorer } from "./browser-to-explorer";
export { homePage } from "./home-page";
export { openApiFile } from "./openapi-file";

/** Assets are served from the folder of the build, which adds files of npm packages to them. */
const BUILT = path.join(__dirname, "../../dist/explorer");

/**
 * The explorer, to be mounted at `/explorer`: GraphiQL with a bar to sign in and prepared operations. Nothing
 * is loaded from another host. Requests for the page itself pass `before`.
 */
export const explorerRoutes = (before: RequestHandler): Router => pageRoutes("static", before);

/** Swagger UI, to read and try the REST contract, to be mounted at `/docs`; `before` as for the explorer. */
export const referenceRoutes = (before: RequestHandler): Router =>
  pageRoutes("reference/static", before);

/**
 * The administrators' app, to be mounted at `/admin`: each path below it that is no file is one of its pages. `before`
 * as for the explorer.
 */
export function adminRoutes(before: RequestHandler): Router {
  const folder = path.join(BUILT, "../admin");
  const router = Router();
  router.use("/assets", assets(path.join(folder, "assets")), leaveRouter);
  router.get("/{*path}", before, pageFrom(path.join(folder, "page.html"), false));
  return router;
}

/** A file that is not there is no page. */
const leaveRouter: RequestHandler = (_request, _response, next) => next("router");

/** A page with its files: `page.html` and `assets` of a subfolder. */
function pageRoutes(folder: string, before: RequestHandler): Router {
  const router = Router();
  router.get("/", before, pageFrom(path.join(__dirname, folder, "page.html")));
  router.use("/assets", assets(path.join(BUILT, folder, "assets")));
  return router;
}
