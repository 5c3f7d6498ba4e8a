import express, { type Express } from "express";
import { within } from "../time-limit";

/** Gives up before a mail program does. */
const PATIENCE = 10_000;

const FORM = `<!doctype html><title>Newsletter</title>
<form method="post"><button>Unsubscribe</button></form>`;

/**
 * Ends subscriptions at the shop by the token in the URL. Mail programs POST at a click on their button (RFC 8058); for
 * people who follow the link in a mail there is a button, as a GET must change nothing.
 */
export function oneClick(shop: string): Express {
  const app = express();
  app.get("/", (_request, response) => {
    response.set("referrer-policy", "no-referrer").type("html").send(FORM);
  });
  app.post("/", async (request, response) => {
    const { token } = request.query;
    if (typeof token !== "string") return void response.status(400).end();
    // A token that ends nothing, as it has done so before, is as good.
    const isDone = await unsubscribe(shop, token).catch(() => false);
    response
      .status(isDone ? 200 : 503)
      .type("text")
      .send(isDone ? "You are unsubscribed." : "Please try again later.");
  });
  return app;
}

/** Whether the shop has answered. */
async function unsubscribe(shop: string, token: string): Promise<boolean> {
  const query = "mutation ($token: String!) { unsubscribe(token: $token) }";
  const answer = await fetch(new URL("/graphql", shop), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, variables: { token } }),
    signal: within(PATIENCE),
  });
  const { data } = (await answer.json()) as { data?: { unsubscribe: boolean } | null };
  return data?.unsubscribe !== undefined;
}
