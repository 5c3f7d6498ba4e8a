/** @check */

import { faultsIn } from "./accessibility";
import { admins } from "./admins";

jest.setTimeout(90_000);

const shop = admins();
const { app } = shop;

/** A file as the input and a drop take it. */
const file = (text: string) => ({
  name: "teas.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(text),
});

test("a file shows what it would change, field by field, and then is imported", async () => {
  const { id: category_id } = await app.make.category({ name: "Green tea", slug: "green-tea" });
  await app.make.product({ name: "Sencha", slug: "sencha", price: "9.50", category_id });
  const page = await shop.signedIn("/import");
  const header = "type,slug,name,isActive,category,price,description";
  const choose = (text: string) => page.locator("input[type=file]").setInputFiles(file(text));
  await choose(`${header}\nproduct,sencha,,true,green-tea,much,\n`);
  await page.getByText(/^Line 2: /).waitFor();
  expect(await page.getByRole("button", { name: "Import" }).isDisabled()).toBe(true);

  const text = `${header}\n${["sencha,Sencha,true,green-tea,10.25,", "gyokuro,Gyokuro,true,green-tea,19.00,"].map((line) => `product,${line}\n`).join("")}`;
  await choose(text);
  const row = page.getByRole("row", { name: "Product sencha" });
  await row.waitFor();
  expect(await row.getByRole("cell").allInnerTexts()).toEqual(
    expect.arrayContaining(["9.50", "10.25"]),
  );
  await page.getByRole("row", { name: "Product gyokuro is new" }).waitFor();
  expect(await faultsIn(page)).toEqual([]);

  // Somebody changes the catalogue between the two: what was shown is not what would be done.
  await app.sql("UPDATE products SET price = 9.75 WHERE slug = 'sencha'");
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByRole("alert").waitFor();
  await choose(text);
  await page.getByText("9.75").waitFor();
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByText("All of the file is stored").waitFor();
  const sql = "SELECT slug, price FROM products ORDER BY slug";
  expect(await app.sql(sql)).toEqual([
    { slug: "gyokuro", price: "19.00" },
    { slug: "sencha", price: "10.25" },
  ]);
});
