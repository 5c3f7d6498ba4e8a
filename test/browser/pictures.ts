import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import { seedDemo } from "../../src/demo";
import { faultsIn } from "./accessibility";
import { admins } from "./admins";

jest.setTimeout(120_000);

const FOLDER = path.resolve(__dirname, "../../docs/pictures");
const WIDE: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 } };

const shop = admins();

beforeAll(() => seedDemo(shop.app.database.url));

// Run by `npm run pictures`, which makes the pictures of README.md and docs/admin.md anew.
test.each([
  ["overview", "", WIDE],
  ["orders", "/orders?filter=%7B%22statuses%22%3A%5B%22PENDING%22%5D%7D", WIDE],
  ["product", "/products/5", { ...WIDE, colorScheme: "dark" }],
  ["phone", "/orders", PHONE],
] as const)("a picture: %s", async (name, at, options) => {
  const page = await shop.signedIn(at, options);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await faultsIn(page)).toEqual([]);
  await writeFile(path.join(FOLDER, `${name}.png`), await page.screenshot());
});
