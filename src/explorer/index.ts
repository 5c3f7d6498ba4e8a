import path from "node:path";
import { Router } from "express";
import { assets } from "./assets";
import { pageFrom } from "./page";

export { browserToExplorer } from "./browser-to-explorer";
export { homePage } from "./home-page";
export { openApiFile } from "./openapi-file";

/** The build adds the files of packages, so they are in its folder alone. */
const BUILT = path.join(__dirname, "../../dist/explorer");

/**
 * The explorer, to be mounted at `/explorer`: GraphiQL with a bar to sign in and prepared operations. Nothing
 * is loaded from another host.
 */
export const explorerRoutes = (): Router => pageRoutes("static");

/** The REST contract as a page to read and to try, to be mounted at `/docs`: Swagger UI. */
export const referenceRoutes = (): Router => pageRoutes("reference/static");

/** A page with its files: `page.html` and `assets` of a folder of this room. */
function pageRoutes(folder: string): Router {
  const router = Router();
  router.get("/", pageFrom(path.join(__dirname, folder, "page.html")));
  router.use("/assets", assets(path.join(BUILT, folder, "assets")));
  return router;
}
