import type { Command } from "commander";
import { seedDemo } from "../demo";
import { withMigratedDatabase, commandSettings } from "./database";
import { print, type Io } from "./io";

const demoHelp = `
Stores 60 products in 8 categories, 200 orders and 25 newsletter subscribers; the catalogue must be empty.

Example:
  npm run tea -- seed demo`;

export function addSeedCommands(program: Command, io: Io): void {
  const seed = program
    .command("seed")
    .description("fill the database")
    .addHelpText("after", "\nExample:\n  npm run tea -- seed demo");
  seed
    .command("demo")
    .description("add a demonstration shop")
    .addHelpText("after", demoHelp)
    .action(() =>
      withMigratedDatabase(commandSettings(io), async (databaseUrl) => {
        await seedDemo(databaseUrl);
        print(io, "Stored the demonstration: 60 products, 200 orders, 25 newsletter subscribers");
      }),
    );
}
