import { startReplica } from "../support/app";
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

test("twenty orders are paid with four clicks and keys, and the answer shows it", async () => {
  const made = await orders(20);
  const explorer = await signedIn();
  const { page } = explorer;
  const { click, press, count } = counted(page);
  await click(page.getByLabel("Select all"));
  await click(button(page, "Mark 20 paid"));
  await dialog(page).getByText("and 15 more").waitFor();
  await press("Enter");
  await explorer.sees("20 orders are paid");
  expect(count()).toBeLessThanOrEqual(4);
  expect(new Set(await statusesOf(made))).toEqual(new Set(["PAID"]));

  const row = page.getByRole("row").filter({ hasText: made[0]!.customer_email });
  await row.getByText("Paid", { exact: true }).waitFor();
  expect(await button(page, `Mark paid, order ${made[0]!.id}`).count()).toBe(0);
  await page.getByText("JSON", { exact: true }).last().click();
  await explorer.answers('"PAID"');
});

test("an order that was cancelled meanwhile is named and read again, and only what can help is tried again", async () => {
  const made = await orders(3);
  const [first, second] = made;
  const paid = await app.make.order({ status: "PAID" });
  const explorer = await signedIn();
  const { page } = explorer;
  await explorer.open("All orders");
  await select(page, [...made, paid]);
  await app.sql("UPDATE orders SET status = 'CANCELLED' WHERE id = $1", [second!.id]);
  const ids = sentIds(page, "MarkPaid");
  const failing = { errors: [{ message: "Oh", extensions: { code: "INTERNAL_SERVER_ERROR" } }] };
  await page.route("**/graphql", (route) =>
    ids.at(-1) === first!.id ? route.fulfill({ json: failing }) : route.continue(),
  );

  await button(page, "Mark 3 of 4 paid").click();
  await dialog(page).getByText("1 of the 4 selected").waitFor();
  await page.keyboard.press("Enter");
  await dialog(page).getByRole("heading", { name: "1 of 3 orders are paid" }).waitFor();
  const failures = await dialog(page).getByRole("alert").innerText();
  expect(failures).toContain(`Order ${second!.id} of ${second!.customer_email} (21.50): `);
  expect(failures).toContain("It was changed meanwhile, and this no longer applies to it");
  expect(failures).toContain("Status: Pending → Cancelled");
  expect(await statusesOf(made)).toEqual(["PENDING", "CANCELLED", "PAID"]);

  await page.unroute("**/graphql");
  ids.splice(0);
  await button(page, "Retry failed").click();
  await dialog(page).getByRole("heading", { name: "2 of 3 orders are paid" }).waitFor();
  expect(ids).toEqual([first!.id]);
  await button(page, "Close").and(page.locator(":focus")).waitFor();
  expect(await button(page, "Retry failed").count()).toBe(0);
  await button(page, "Close").click();
  const row = page.getByRole("row").filter({ hasText: second!.customer_email });
  await row.getByText("Cancelled", { exact: true }).waitFor();
  expect(await button(page, `Mark paid, order ${second!.id}`).count()).toBe(0);

  // What has been deleted meanwhile is shown as that.
  await app.sql("DELETE FROM orders WHERE id = $1", [first!.id]);
  await button(page, `Cancel, order ${first!.id}`).click();
  await button(page, "Cancel order").click();
  await dialog(page).getByText("Order not found").waitFor();
  expect(await button(page, "Try again").count()).toBe(0);
  await button(page, "Close").click();
  await page.getByRole("row").getByText("deleted", { exact: true }).waitFor();
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

test("a service that goes away ends the round, and leaves the rest as it is", async () => {
  const made = await orders(4);
  const replica = await startReplica(app);
  const explorer = await signedIn({ url: replica.url });
  const { page, complaints } = explorer;
  await page.getByLabel("Select all").check();
  const ids = sentIds(page, "MarkPaid");
  await page.route("**/graphql", async (route) => {
    if (ids.length === 2) await replica.close();
    await route.continue();
  });
  await button(page, "Mark 4 paid").click();
  await page.keyboard.press("Enter");
  await dialog(page).getByRole("heading", { name: "1 of 4 orders are paid" }).waitFor();
  await dialog(page).getByText("The service can't be reached").waitFor();
  await dialog(page).getByText("2 not begun.").waitFor();
  expect(ids).toHaveLength(2);
  expect((await statusesOf(made)).filter((status) => status === "PAID")).toHaveLength(1);
  await button(page, "Close").click();
  expect(complaints.splice(0).join()).toContain("ERR_CONNECTION_REFUSED");
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

test("Enter again and again pays orders, and cancels none of them", async () => {
  const made = await orders(3);
  const explorer = await signedIn();
  const { page } = explorer;
  await select(page, made.slice(0, 2));
  await button(page, "Mark 2 paid").focus();
  await page.keyboard.press("Enter");
  await dialog(page).waitFor();
  await page.keyboard.press("Enter");
  await explorer.sees("2 orders are paid");
  await page.getByRole("group", { name: "Selected rows" }).and(page.locator(":focus")).waitFor();
  for (let press = 1; press <= 3; press += 1) await page.keyboard.press("Enter");
  expect(await statusesOf(made)).toEqual(["PAID", "PAID", "PENDING"]);

  // What can't be undone begins on the way back.
  await button(page, "Cancel 2 orders").press("Enter");
  await button(page, "Go back").and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await dialog(page).waitFor({ state: "detached" });
  expect(await statusesOf(made)).toEqual(["PAID", "PAID", "PENDING"]);
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

test("an answer that comes anew has nothing selected", async () => {
  const [first, second] = await orders(2);
  const explorer = await signedIn();
  const { page } = explorer;
  await select(page, [first!]);
  await button(page, "Mark 1 paid").waitFor();
  const [third] = await orders(1);
  await button(page, "Run").click();
  await page.getByLabel(`Select order ${third!.id}`, { exact: true }).waitFor();
  expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(0);
  expect(await button(page, "Mark 1 paid").count()).toBe(0);
  await select(page, [second!]);
  await button(page, "Mark 1 paid").click();
  await dialog(page).getByRole("button", { name: "Mark paid" }).click();
  await explorer.sees(`Order ${second!.id} is paid`);
  expect(await statusesOf([first!, second!, third!])).toEqual(["PENDING", "PAID", "PENDING"]);
});
