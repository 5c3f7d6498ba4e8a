/** @check */

import { actionsShop, button, counted, dialog, differences, select, sentIds } from "./actions";

jest.setTimeout(60_000);

const { shop, signedIn, orders, statusesOf } = actionsShop();
const { app } = shop;

test("a morning's work takes fourteen clicks and keys", async () => {
  const made = await orders(4);
  const anna = await app.make.order({ customer_email: "anna@example.com", total_amount: "9.50" });
  const earlier = await app.make.order({ customer_email: "anna@example.com", status: "PAID" });
  const product = await app.make.product({ name: "Green sencha", price: "11.00" });
  await app.make.product({ name: "Green gunpowder" });
  const explorer = await signedIn();
  const { page } = explorer;
  const { click, press, count } = counted(page);

  for (const { id } of made) await click(page.getByLabel(`Select order ${id}`, { exact: true }));
  await click(button(page, "Mark 4 paid"));
  await dialog(page).getByText("They come to 86.00 together.").waitFor();
  await press("Enter");
  await explorer.sees("4 orders are paid");

  await click(button(page, `Cancel, order ${anna.id}`));
  const question = `Cancel order ${anna.id} of anna@example.com (9.50)?`;
  await dialog(page).getByRole("heading", { name: question }).waitFor();
  await click(button(page, "Cancel order"));
  await explorer.sees(`Order ${anna.id} is cancelled`);

  await click(button(page, new RegExp("^anna@example.com: All orders")));
  await page.getByLabel(`Select order ${earlier.id}`, { exact: true }).waitFor();

  await click(button(page, "Operations"));
  await click(button(page, "Find a product"));
  await page
    .getByLabel(/^Search/)
    .and(page.locator(":focus"))
    .waitFor();
  await page.keyboard.type("sencha green");
  await press("Enter");
  await click(button(page, `Change price, product ${product.id}`));
  await dialog(page).locator("input:focus").waitFor();
  await page.keyboard.type("12.50");
  await press("Enter");
  await explorer.sees("“Green sencha” costs 12.50");

  expect(count()).toBeLessThanOrEqual(14);
  expect(await statusesOf([...made, anna])).toEqual(["PAID", "PAID", "PAID", "PAID", "CANCELLED"]);
  const { body } = await app.http.get(`/products/${product.id}`).expect(200);
  expect(body.price).toBe("12.50");
});

test("a round can be stopped and continued, and two clicks at once begin but one", async () => {
  const made = await orders(4);
  const explorer = await signedIn();
  const { page } = explorer;
  await page.getByLabel("Select all").check();
  const ids = sentIds(page, "MarkPaid");
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/graphql", async (route) => {
    if (ids.length === 2) await released;
    await route.continue();
  });

  await button(page, "Mark 4 paid").click();
  await button(page, "Mark 4 paid").last().dblclick();
  await dialog(page).getByText("2 of 4").waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await dialog(page).getByText("the last one before it stops").waitFor();
  release();
  await dialog(page).getByText("2 not begun.").waitFor();
  expect(ids).toHaveLength(2);

  await button(page, "Continue").click();
  await explorer.sees("4 orders are paid");
  expect(ids).toHaveLength(4);
  expect(new Set(ids)).toEqual(new Set(made.map(({ id }) => id)));
});

test("nothing happens without a yes, and the focus returns to where it was", async () => {
  const [order] = await orders(1);
  const explorer = await signedIn();
  const { page } = explorer;
  const start = button(page, `Mark paid, order ${order!.id}`);
  await start.focus();
  await page.keyboard.press("Enter");
  await button(page, "Mark paid").and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Escape");
  await start.and(page.locator(":focus")).waitFor();
  expect(await statusesOf([order!])).toEqual(["PENDING"]);

  const ids = sentIds(page, "CancelOrder");
  await button(page, `Cancel, order ${order!.id}`).click();
  await dialog(page).getByText("This can’t be undone.").waitFor();
  await button(page, "Cancel order").dblclick();
  await explorer.sees(`Order ${order!.id} is cancelled`);
  expect(ids).toHaveLength(1);
  expect(await dialog(page).count()).toBe(0);
  // Its button is gone; its row has the focus.
  expect(await page.evaluate("document.activeElement.matches('tr')")).toBe(true);
});

test("an order that somebody else has changed is acted on only after that was seen", async () => {
  const [order] = await orders(1);
  const { id, customer_email: email } = order!;
  const explorer = await signedIn();
  const { page } = explorer;
  await button(page, `Cancel, order ${id}`).click();
  await app.sql("UPDATE orders SET status = 'PAID' WHERE id = $1", [id]);
  await button(page, "Cancel order").click();
  const changed = `Order ${id} of ${email} (21.50) was changed meanwhile`;
  await dialog(page).getByRole("heading", { name: changed }).waitFor();
  expect(await differences(page)).toEqual([["Status", "Pending", "Paid", "Cancelled"]]);
  expect(await statusesOf([order!])).toEqual(["PAID"]);
  await page.keyboard.press("Enter");
  await dialog(page).waitFor({ state: "detached" });
  const row = page.getByRole("row").filter({ hasText: email });
  await row.getByText("Paid", { exact: true }).waitFor();
  expect(await statusesOf([order!])).toEqual(["PAID"]);

  await button(page, `Cancel, order ${id}`).click();
  await app.sql("UPDATE orders SET total_amount = 22 WHERE id = $1", [id]);
  await button(page, "Cancel order").click();
  await button(page, "Cancel order all the same").click();
  await explorer.sees(`Order ${id} is cancelled`);
  expect(await statusesOf([order!])).toEqual(["CANCELLED"]);

  await button(page, `History, order ${id}`).click();
  await page.getByRole("heading", { name: /^Entries, \d of \d$/ }).waitFor();
  await page.getByText("Status: Paid → Cancelled").waitFor();
  await page.getByText("Total amount: 21.50 → 22.00").waitFor();
});

test("of several rows, those that somebody else has changed are named, and tried again as they are now", async () => {
  const made = await orders(3);
  const [first, second, third] = made;
  const explorer = await signedIn();
  const { page } = explorer;
  await select(page, made);
  await app.sql("UPDATE orders SET total_amount = 23 WHERE id = $1", [first!.id]);
  await app.sql("UPDATE orders SET status = 'CANCELLED' WHERE id = $1", [third!.id]);
  await button(page, "Mark 3 paid").click();
  await page.keyboard.press("Enter");
  await dialog(page).getByRole("heading", { name: "1 of 3 orders are paid" }).waitFor();
  const outcomes = await dialog(page).getByRole("alert").locator("> ul > li").allInnerTexts();
  // In the order of the list, by the moments at which the orders were made.
  expect(new Set(outcomes)).toEqual(
    new Set([
      `Order ${first!.id} of ${first!.customer_email} (21.50): It was changed meanwhile\n` +
        "Total amount: 21.50 → 23.00",
      `Order ${third!.id} of ${third!.customer_email} (21.50): ` +
        "It was changed meanwhile, and this no longer applies to it\nStatus: Pending → Cancelled",
    ]),
  );
  expect(await statusesOf(made)).toEqual(["PENDING", "PAID", "CANCELLED"]);
  expect(await button(page, "Retry failed").count()).toBe(0);

  // Changed once more while it was looked at.
  await app.sql("UPDATE orders SET total_amount = 24 WHERE id = $1", [first!.id]);
  const ids = sentIds(page, "MarkPaid");
  await button(page, "Mark 1 paid all the same").click();
  await dialog(page).getByText("Total amount: 23.00 → 24.00").waitFor();
  await button(page, "Close").and(page.locator(":focus")).waitFor();
  await button(page, "Mark 1 paid all the same").click();
  await dialog(page).getByRole("heading", { name: "2 of 3 orders are paid" }).waitFor();
  expect(ids).toEqual([first!.id, first!.id]);
  expect(await statusesOf([first!, second!])).toEqual(["PAID", "PAID"]);
});
