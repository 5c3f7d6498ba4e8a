// Prints what the shop says: npm run receiver -- <file with secret and port>
import { Backlog } from "./backlog";
import { inOrder } from "./in-order";
import { receiver } from "./receiver";
import { serve } from "./serve";
import { readSettings } from "./settings";

async function main([file]: string[]): Promise<void> {
  const { secret, port } = await readSettings(file, ["secret", "port"]);
  const copy = inOrder({
    apply: ({ type, data }) => console.log(type, data),
    missed: ({ subject, from, to }) => console.warn(`${subject}: versions ${from} to ${to} missed`),
  });
  const giveUp = (error: unknown, { id }: { id: string }) => console.error(`Gave ${id} up`, error);
  const backlog = new Backlog(copy, { giveUp });
  await serve(receiver({ secret, handle: backlog.add }), port);
  await backlog.idle();
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
