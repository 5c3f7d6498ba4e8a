import { admins, counted, signIn } from "./admins";

jest.setTimeout(60_000);

const shop = admins();
const { app } = shop;

test("yesterday's four orders are paid in six actions", async () => {
  const yesterday = new Date(new Date().setHours(0, 0, 0, 0) - 12 * 3_600_000);
  for (let number = 0; number < 4; number += 1)
    await app.make.order({ total_amount: "21.50", created_at: yesterday });
  await app.make.order();
  const page = await shop.signedIn();
  const { click, check, count } = counted(page);

  await click("Orders", "link");
  await click("Yesterday");
  await page.getByText("4 in all").waitFor();
  await check("Select all on this page");
  await click("Mark paid");
  await page.getByRole("dialog").getByText("86.00").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Mark paid" }).click();
  await page.getByText("4 orders are paid").waitFor();

  expect(count() + 1).toBeLessThanOrEqual(6);
  expect(await app.sql("SELECT status, count(*)::int FROM orders GROUP BY 1 ORDER BY 1")).toEqual([
    { status: "PENDING", count: 1 },
    { status: "PAID", count: 4 },
  ]);
});

test("the navigation opens every page, also in a browser without a locale", async () => {
  const page = await shop.opened();
  await page.addInitScript({
    content: `Object.defineProperty(navigator, "language", { value: "en-US@posix", configurable: true })`,
  });
  await page.goto(`${app.url}/admin/account`);
  await signIn(page, shop.email);
  const names = [
    "Overview",
    "Orders",
    "Products",
    "Categories",
    "Customers",
    "Newsletter",
    "Webhooks",
    "Audit log",
    "Import",
  ];
  for (const name of names) {
    await page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
    await page.waitForLoadState("networkidle");
  }
});
