import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import express, { Router, type RequestHandler } from "express";
import { browserToExplorer } from "./browser-to-explorer";
import { pageHeaders } from "./page-headers";
import { prebuiltFiles } from "./prebuilt-files";

const STATIC = path.join(__dirname, "static");
const ASSETS = "/explorer/assets";

/**
 * The explorer at `/explorer`: GraphiQL with a bar to sign in and prepared operations. These routes must
 * come before the GraphQL endpoint, because they redirect browsers that open `/graphql`. Nothing is loaded
 * from another host.
 */
export function explorerRoutes(): Router {
  const router = Router();
  router.get("/graphql", browserToExplorer);

  const page = readFileSync(path.join(STATIC, "page.html"), "utf8");
  router.get("/explorer", (_request, response) => {
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
