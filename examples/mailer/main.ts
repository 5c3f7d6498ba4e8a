// Sends customers a message of their orders: npm run mailer -- <file with secret, port, smtp, from and orderPage>
import { receiver } from "../receiver/receiver";
import { serve } from "../receiver/serve";
import { readSettings } from "../receiver/settings";
import { mailer } from "./mailer";

async function main([file]: string[]): Promise<void> {
  const settings = await readSettings(file, ["secret", "port", "smtp", "from", "orderPage"]);
  const { secret, port, smtp, from, orderPage } = settings;
  const handle = mailer({
    smtp,
    from,
    orderPage,
    undeliverable: ({ message }, { id }) => console.error(`Order ${id}: ${message}`),
  });
  await serve(receiver({ secret, handle }), port);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
