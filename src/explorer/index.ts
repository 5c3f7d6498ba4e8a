import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import express, { Router, type RequestHandler } from "express";
import { pageHeaders } from "./page-headers";
import { prebuiltFiles } from "./prebuilt-files";

export { browserToExplorer } from "./browser-to-explorer";

const STATIC = path.join(__dirname, "static");
const ASSETS = "/assets";

/**
 * The explorer, to be mounted at `/explorer`: GraphiQL with a bar to sign in and prepared operations. Nothing
 * is loaded from another host.
 */
export function explorerRoutes(): Router {
  const router = Router();
  const page = readFileSync(path.join(STATIC, "page.html"), "utf8");
  router.get("/", (_request, response) => {
    const nonce = randomBytes(16).toString("base64");
    response.set(pageHeaders(nonce)).type("html").send(page.replace("{nonce}", nonce));
  });

  for (const { name, file } of prebuiltFiles()) router.use(`${ASSETS}/${name}`, files(file));
  router.use(ASSETS, files(path.join(STATIC, "assets")));
  return router;
}

/** Serves a folder or a file. A browser may keep a copy, but asks each time whether it is still current. */
const files = (root: string): RequestHandler =>
  express.static(root, {
    cacheControl: false,
    index: false,
    redirect: false,
    setHeaders: (response) => {
      response.set({ "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff" });
    },
  });
