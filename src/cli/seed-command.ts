import type { Command } from "commander";
import { seedDemo } from "../demo";
import { integerFrom } from "./arguments";
import { withMigratedDatabase, commandSettings } from "./database";
import { print, type Io } from "./io";
import { createProgress } from "./progress";

/** The most products or orders that one command generates. */
const MOST = 100_000_000;

const demoHelp = `
Without options it stores 60 products in 8 categories, 200 orders and 25 newsletter subscribers; the
catalogue must be empty. With options it adds as many generated products and orders; 1,000,000 products
and 5,000,000 orders take about 20 minutes and 4 GB.

Examples:
  npm run tea -- seed demo
  npm run tea -- seed demo --products 1000 --orders 100000
  npm run tea -- seed demo --orders 500`;

export function addSeedCommands(program: Command, io: Io): void {
  const seed = program
    .command("seed")
    .description("fill the database")
    .addHelpText(
      "after",
      "\nExamples:\n  npm run tea -- seed demo\n  npm run tea -- seed demo --products 1000 --orders 100000",
    );
  seed
    .command("demo")
    .description("add a demonstration shop or, with options, generated data in any amount")
    .option("--products <number>", "products to generate", integerFrom(0, MOST))
    .option("--orders <number>", "orders to generate, of 1 to 3 items", integerFrom(0, MOST))
    .addHelpText("after", demoHelp)
    .action(({ products, orders }: { products?: number; orders?: number }) =>
      withMigratedDatabase(commandSettings(io), (databaseUrl) =>
        products === undefined && orders === undefined
          ? seedShop(databaseUrl, io)
          : seedBulk(databaseUrl, { products: products ?? 0, orders: orders ?? 0 }, io),
      ),
    );
}

async function seedShop(databaseUrl: string, io: Io): Promise<void> {
  await seedDemo(databaseUrl);
  print(io, "Stored the demonstration: 60 products, 200 orders, 25 newsletter subscribers");
}

async function seedBulk(
  databaseUrl: string,
  amounts: { readonly products: number; readonly orders: number },
  io: Io,
): Promise<void> {
  const started = performance.now();
  const progress = createProgress(io);
  try {
    await seedDemo(databaseUrl, {
      ...amounts,
      onProgress: (done, total) => progress.show(done, total),
    });
  } finally {
    progress.end();
  }
  const [products, orders] = [amounts.products, amounts.orders].map((amount) =>
    amount.toLocaleString("en-US"),
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  print(io, `Added ${products} products and ${orders} orders in ${seconds} s`);
}
