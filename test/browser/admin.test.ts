import { admins } from "./admins";

jest.setTimeout(60_000);

const shop = admins();

test("an administrator signs in, finds the orders and marks one paid", async () => {
  const { id } = await shop.app.make.order({ total_amount: "21.50" });
  const page = await shop.signedIn();

  await page.getByRole("navigation").getByRole("link", { name: "Orders" }).click();
  await page.getByLabel(`Select Order ${id}`).check();
  await page.getByRole("button", { name: "Mark paid" }).click();

  await page
    .getByRole("row", { name: `Order ${id}` })
    .getByText("Paid", { exact: true })
    .waitFor();
  expect(await shop.app.sql("SELECT status FROM orders WHERE id = $1", [id])).toEqual([
    { status: "PAID" },
  ]);
});
