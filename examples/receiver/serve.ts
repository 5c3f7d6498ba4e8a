import { once } from "node:events";
import type { Express } from "express";

/** Serves an app until SIGINT or SIGTERM, and lets requests that have begun get their answer. */
export async function serve(app: Express, port: number): Promise<void> {
  const server = app.listen(port);
  await once(server, "listening");
  console.log(`Receives webhooks at http://localhost:${port}`);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  server.close();
  await once(server, "close");
}
