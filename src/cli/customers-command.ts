import { Option, type Command } from "commander";
import { connect } from "../database/connection/pool";
import { withClient } from "../database/connection/with-client";
import { messagesUnderWay } from "../services/events/delivery-queue";
import { Customers, type CustomerData } from "../services/record/customers";
import type { ErasedCustomer } from "../services/record/erasure";
import { exportCustomer } from "../services/record/exports";
import { OperatorError } from "../vocabulary/errors";
import { emailAddress, pastTime } from "./arguments";
import { counted, print, type Io } from "./io";
import { withMigratedDatabase, commandSettings } from "./database";
import { counting, say, writeText } from "./files/export-file";
import { jsonText } from "../files/file-text";
import type { OutputFile } from "./files/output";
import { printable } from "../files/report";

const exportHelp = `
The file is JSON, with all orders and their items, the subscription to the newsletter, the changes of these in the
audit log (not who made them), the events that told of them, and the idempotency keys of the orders. Without a file,
or with -, it is written to standard output. A file that is created can be read by its owner alone. The letter case
of the address is ignored, and so is whether it is composed or decomposed, and its domain in Unicode or in punycode.

Examples:
  npm run tea -- customers export ada@example.com ada.json
  npm run --silent tea -- customers export ada@example.com | jq .orders`;

const eraseHelp = `
A tombstone, an address that is nobody's, takes the place of the address in orders, in the newsletter, whose
subscription ends, in events, and in the audit log. Orders keep their items, amounts and states. It can't be undone.
The audit log gets an entry with the tombstone and without the address. Accounts of administrators stay. The letter
case of the address is ignored, and so is whether it is composed or decomposed, and its domain in Unicode or in
punycode. One that is not known is no error.

With --inactive-since, it erases each customer whose last order is older and who has no active subscription. If it
is interrupted, those who were erased stay so, and the same command goes on.

docs/security.md says what backups still have.

Examples:
  npm run tea -- customers erase ada@example.com --dry-run
  npm run tea -- customers erase ada@example.com
  npm run tea -- customers erase --inactive-since 3y`;

export function addCustomerCommands(program: Command, io: Io): void {
  const customers = program
    .command("customers")
    .description("write what is stored of a customer to a file, or erase it")
    .addHelpText("after", "\nExample:\n  npm run tea -- customers erase ada@example.com --dry-run");
  customers
    .command("export")
    .description("write all that is stored of a customer to a file")
    .argument("<email>", "the customer's address", emailAddress)
    .argument("[file]", "the file to write", "-")
    .option("--force", "overwrite the file if it exists")
    .addHelpText("after", exportHelp)
    .action((email: string, file: string, { force = false }: { readonly force?: boolean }) =>
      runExport(email, { file, overwrites: force }, io),
    );
  customers
    .command("erase")
    .description("replace a customer's address by a tombstone")
    .argument("[email]", "the customer's address", emailAddress)
    .addOption(
      new Option(
        "--inactive-since <time>",
        "erase all who have ordered nothing since: 3y, 18m, 90d, or a time (UTC)",
      ).argParser(pastTime),
    )
    .option("--dry-run", "erase nothing, and show what would be erased")
    .addHelpText("after", eraseHelp)
    .action((email: string | undefined, choice: Choice) => runErase(email, choice, io));
}

interface Choice {
  readonly inactiveSince?: Date;
  readonly dryRun?: boolean;
}

async function runExport(email: string, target: OutputFile, io: Io): Promise<void> {
  const counts = { orders: 0, auditEntries: 0, events: 0, idempotencyKeys: 0, subscriptions: 0 };
  await withMigratedDatabase(commandSettings(io), (databaseUrl) =>
    withClient(databaseUrl, (client) =>
      exportCustomer(client, { email }, async (customer) => {
        counts.subscriptions = customer.subscription ? 1 : 0;
        const text = jsonText({
          email,
          orders: counting(counts, "orders", customer.orders),
          subscription: customer.subscription,
          auditEntries: counting(counts, "auditEntries", customer.auditEntries),
          events: counting(counts, "events", customer.events),
          idempotencyKeys: counting(counts, "idempotencyKeys", customer.idempotencyKeys),
        });
        await writeText(target, text, io);
      }),
    ),
  );
  const keys = counted(counts.idempotencyKeys, "idempotency key");
  say(target.file, `Exported ${listed(counts)}, ${keys}`, io);
}

/** @throws OperatorError unless either an address or a time is given */
async function runErase(email: string | undefined, choice: Choice, io: Io): Promise<void> {
  const { inactiveSince, dryRun = false } = choice;
  if ((email === undefined) === (inactiveSince === undefined)) {
    throw new OperatorError("Give either an address or --inactive-since (add --help for examples)");
  }
  const settings = commandSettings(io);
  await withMigratedDatabase(settings, async (databaseUrl) => {
    const { namedStatements } = settings.database;
    const sequelize = connect({ url: databaseUrl, poolSize: 1, namedStatements });
    try {
      const customers = new Customers(sequelize);
      if (email !== undefined) await eraseOne(customers, email, dryRun, io);
      else if (inactiveSince) {
        await eraseInactive(customers, inactiveSince, dryRun, io);
        // Once for all of them. The erasure of one address waits by itself.
        if (!dryRun) await messagesUnderWay(sequelize);
      }
    } finally {
      await sequelize.close();
    }
  });
  if (dryRun) print(io, "Nothing was erased, because this was a dry run");
}

async function eraseOne(
  customers: Customers,
  email: string,
  dryRun: boolean,
  io: Io,
): Promise<void> {
  if (dryRun) {
    print(io, `Would erase ${listed(countsOf(await customers.data({ email })))}`);
    return;
  }
  const erased = await customers.erase({ email });
  print(io, `Erased ${listed(erased)}`);
  print(io, `The address is now ${erased.tombstone}`);
}

/** Erases one after another, each in a transaction of its own. */
async function eraseInactive(
  customers: Customers,
  since: Date,
  dryRun: boolean,
  io: Io,
): Promise<void> {
  let found = 0;
  for await (const batch of customers.inactive(since)) {
    for (const { address, lastOrderAt } of batch) {
      if (dryRun) {
        const data = await customers.data({ email: address });
        // Another spelling of the address may be active.
        if ((data.lastOrderAt ?? since) > lastOrderAt || data.subscription?.isActive) continue;
        const last = lastOrderAt.toISOString();
        print(io, `${printable(address)}  ${listed(countsOf(data))}, last order ${last}`);
        found += 1;
        continue;
      }
      const erased = await customers.eraseInactive(address, since);
      if (!erased) continue; // has ordered or subscribed since
      print(io, `${erased.tombstone}  ${listed(erased)}`);
      found += 1;
    }
  }
  const who = `${counted(found, "customer")} without an order since ${since.toISOString()}`;
  print(io, `${dryRun ? "Would erase" : "Erased"} ${who}`);
}

type Counts = Omit<ErasedCustomer, "tombstone">;

const countsOf = ({ orders, subscription, auditEntries, events }: CustomerData): Counts => ({
  orders,
  subscriptions: subscription ? 1 : 0,
  auditEntries,
  events,
});

/** `2 orders, 1 subscription, 0 entries of the audit log, 3 events` */
const listed = ({ orders, subscriptions, auditEntries, events }: Counts): string =>
  [
    counted(orders, "order"),
    counted(subscriptions, "subscription"),
    `${counted(auditEntries, "entry", "entries")} of the audit log`,
    counted(events, "event"),
  ].join(", ");
