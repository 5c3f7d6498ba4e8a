/** @check */

import { readFile } from "node:fs/promises";
import { faultsIn } from "./accessibility";
import { admins } from "./admins";

jest.setTimeout(90_000);

const shop = admins();
const { app } = shop;

test("a customer is found by three letters, their data handed out, and erased after a question", async () => {
  const ordered = { customer_email: "mina@example.com", total_amount: "21.50" };
  const { id } = await app.make.order(ordered);
  await app.make.order({ ...ordered, status: "CANCELLED" });
  await app.make.order();
  await app.make.subscriber({ email: "mina@example.com" });
  const page = await shop.signedIn("/customers");
  await page.getByLabel("Part of an address").fill("mi");
  await page.getByText("At least three characters.").waitFor();
  await page.getByLabel("Part of an address").fill("min");
  await page.getByText("1 in all").waitFor();
  expect(await page.getByRole("row", { name: /mina@/ }).getByRole("cell").allInnerTexts()).toEqual(
    expect.arrayContaining(["2", "21.50"]),
  );
  expect(await faultsIn(page)).toEqual([]);

  await page.getByRole("link", { name: "mina@example.com" }).click();
  await page.getByText(/^Subscribed to the newsletter since/).waitFor();
  await page.getByRole("link", { name: String(id), exact: true }).waitFor();
  expect(await faultsIn(page)).toEqual([]);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  const file = JSON.parse(await readFile(await (await download).path(), "utf8")) as object;
  expect(file).toMatchObject({ email: "mina@example.com", orders: [{}, { id }] });

  await page.getByRole("button", { name: "Erase customer" }).click();
  const dialog = page.getByRole("dialog", { name: "Erase mina@example.com?" });
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Go back");
  await dialog.getByRole("button", { name: "Erase customer" }).click();
  await page.getByText(/^Erased: /).waitFor();
  expect(await app.sql("SELECT 1 FROM orders WHERE customer_email LIKE 'mina@%'")).toEqual([]);
});

test("several subscribers are unsubscribed after a question", async () => {
  const made = [await app.make.subscriber(), await app.make.subscriber()];
  const page = await shop.signedIn("/newsletter");
  for (const { email } of made) await page.getByLabel(`Select ${email}`).check();
  await page.getByRole("button", { name: "Unsubscribe" }).click();
  const dialog = page.getByRole("dialog", { name: "Unsubscribe 2 addresses?" });
  await dialog.getByRole("button", { name: "Unsubscribe" }).click();
  await page.getByText("2 addresses are unsubscribed").waitFor();
  await page.getByRole("row", { name: made[0]!.email }).getByText("Ended").waitFor();
  const active = "SELECT email FROM newsletter_subscribers WHERE is_active AND email = ANY($1)";
  expect(await app.sql(active, [made.map(({ email }) => email)])).toEqual([]);
  expect(await faultsIn(page)).toEqual([]);
});

test("the audit log says who changed what, under the conditions of its address", async () => {
  const { id } = await app.make.product({ name: "Sencha", price: "9.50" });
  const query = `mutation { updateProduct(id: ${id}, input: { price: "10.25" }) { id } }`;
  await app.http.post("/graphql").set("Authorization", app.asAdmin).send({ query }).expect(200);
  const page = await shop.signedIn("/audit-log");
  await page.getByLabel("Operation").fill("updateProduct");
  await page.getByText("1 in all").waitFor();
  await page.getByText("9.50 → 10.25").waitFor();
  expect(await page.getByRole("link", { name: `Product ${id}` }).getAttribute("href")).toMatch(
    `/products/${id}`,
  );
  await page.reload();
  await page.getByText("1 in all").waitFor();
  await page.getByLabel("Number", { exact: true }).fill("x");
  await page.getByText("This is not a number.").waitFor();
  expect(await faultsIn(page)).toEqual([]);
});

test("pages of the audit log follow one another, and open by their address alone", async () => {
  for (let count = 0; count < 12; count += 1) {
    await app.http
      .post("/categories")
      .set("Authorization", app.asAdmin)
      .send({ name: `Tea ${count}` })
      .expect(201);
  }
  const path = `/audit-log?perPage=10&page=2&filter=${encodeURIComponent('{"operation":"createCategory"}')}`;
  const page = await shop.signedIn(path);
  await page.getByText("12 in all").waitFor();
  await page.getByRole("rowheader").nth(1).waitFor();
  expect(await page.getByRole("rowheader").count()).toBe(2);
});
