// Sends customers messages of orders and the newsletter: npm run mailer -- <file with settings>
import express from "express";
import { receiver } from "../receiver/receiver";
import { serve } from "../receiver/serve";
import { readSettings } from "../receiver/settings";
import { mailer } from "./mailer";
import { oneClick } from "./one-click";

const names = ["secret", "port", "smtp", "from", "orderPage", "newsletter", "shop"] as const;

async function main([file]: string[]): Promise<void> {
  const { secret, port, shop, ...settings } = await readSettings(file, names);
  const handle = mailer({
    ...settings,
    undeliverable: ({ message }, subject) => console.error(`${subject}: ${message}`),
  });
  const app = express();
  app.use("/unsubscribe", oneClick(shop));
  app.use(receiver({ secret, handle }));
  await serve(app, port);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
