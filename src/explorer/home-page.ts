import { readFileSync } from "node:fs";
import path from "node:path";
import type { RequestHandler } from "express";
import { sendPage } from "./page";

/** Where to look, in the order for a newcomer. */
const links = [
  { name: "docs", href: "/docs", isPage: true, title: "The REST contract, to read and to try" },
  { name: "openapi", href: "/openapi.json", title: "The REST contract for machines (OpenAPI)" },
  { name: "explorer", href: "/explorer", isPage: true, title: "A page to try GraphQL" },
  { name: "graphql", href: "/graphql", title: "The GraphQL endpoint" },
  { name: "live", href: "/health/live", title: "Whether the process answers" },
  { name: "ready", href: "/health/ready", title: "Whether requests can be served" },
];

/**
 * Says what this service is and where to look: to browsers as an HTML page, to all other clients as JSON.
 *
 * @param hasPages whether `/docs` and `/explorer` are served
 */
export function homePage({ hasPages }: { readonly hasPages: boolean }): RequestHandler {
  const served = links.filter(({ isPage }) => hasPages || !isPage);
  const items = served.map(
    ({ href, title }) => `<dt><a href="${href}">${href}</a></dt><dd>${title}</dd>`,
  );
  const favicon = Buffer.from(textOf("assets/favicon.svg")).toString("base64");
  // The page needs no other files, because it is served even without the explorer.
  const page = textOf("home.html")
    .replace("{palette}", textOf("assets/palette.css"))
    .replaceAll("{favicon}", `data:image/svg+xml;base64,${favicon}`)
    .replace("{links}", items.join("\n"));
  const json = {
    name: "Tea shop",
    links: Object.fromEntries(served.map(({ name, href }) => [name, href])),
  };
  return (request, response) => {
    response.vary("Accept");
    if (request.accepts(["application/json", "text/html"]) === "text/html")
      sendPage(response, page);
    else response.set("Cache-Control", "no-store").json(json);
  };
}

const textOf = (file: string): string => readFileSync(path.join(__dirname, "static", file), "utf8");
