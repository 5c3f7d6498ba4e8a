import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { Router } from "express";
import { assets } from "./assets";
import { pageHeaders } from "./page-headers";

export { browserToExplorer } from "./browser-to-explorer";

const PAGE = path.join(__dirname, "static/page.html");
/** The build adds the files of packages, so they are in its folder alone. */
const ASSETS = path.join(__dirname, "../../dist/explorer/static/assets");

/**
 * The explorer, to be mounted at `/explorer`: GraphiQL with a bar to sign in and prepared operations. Nothing
 * is loaded from another host.
 */
export function explorerRoutes(): Router {
  const router = Router();
  const page = readFileSync(PAGE, "utf8");
  router.get("/", (_request, response) => {
    const nonce = randomBytes(16).toString("base64");
    response.set(pageHeaders(nonce)).type("html").send(page.replace("{nonce}", nonce));
  });

  router.use("/assets", assets(ASSETS));
  return router;
}
