import { PASSWORD } from "../support/factories";
import { becomes } from "./becomes";
import { explorers } from "./explorers";

jest.setTimeout(60_000);

const shop = explorers();

beforeAll(() => shop.app.make.order());

test("the query of a prepared operation is folded once somebody has signed in", async () => {
  const options = { asJson: false, withQuery: false };
  const explorer = await shop.opened(undefined, "", options);
  const { page } = explorer;
  const folded = page.getByRole("button", { name: "Query", expanded: false });
  const shown = page.getByRole("button", { name: "Query", expanded: true });
  await shown.waitFor();
  await explorer.signIn(shop.email, PASSWORD);
  await page.getByRole("heading", { name: "Orders, 1–1 of 1" }).waitFor();
  await folded.waitFor();
  await explorer.click("New tab");
  await shown.waitFor();
  await page.getByRole("tab", { name: "Waiting for payment" }).click();
  await folded.click();
  await explorer.open("Products");
  await shown.waitFor();
});

test("on a phone, an answer comes into view, and its buttons can be pressed", async () => {
  const viewport = { width: 390, height: 844 };
  const options = { asJson: false, withQuery: false, viewport, hasTouch: true, isMobile: true };
  const explorer = await shop.opened(undefined, "", options);
  const { page } = explorer;
  await explorer.signIn(shop.email, PASSWORD);
  const heading = page.getByRole("heading", { name: "Orders, 1–1 of 1" });
  await heading.waitFor();
  await becomes(page, "scrollY > 0");
  const { y } = (await heading.boundingBox())!;
  expect(y).toBeLessThan(viewport.height / 2);
  await page.getByRole("checkbox", { name: /^Select order/ }).check();
  await explorer.click("Mark 1 paid");
  await page.getByRole("heading", { name: /^Mark order/ }).waitFor();
  await page.keyboard.press("Escape");
});

test("a table that can't be shown leaves the rest of the page, and the JSON, as they are", async () => {
  const explorer = await shop.opened(undefined, "", { asJson: false });
  const { page } = explorer;
  await explorer.signIn(shop.email, PASSWORD);
  await page.getByRole("heading", { name: "Orders, 1–1 of 1" }).waitFor();
  await page.evaluate(`Object.defineProperty(Intl.DateTimeFormat.prototype, "format", {
    get: () => { throw new Error("no such zone"); },
  })`);
  await explorer.open("All orders");
  await page.getByText("This can't be shown as a table. See the JSON.").waitFor();
  await page.getByRole("group", { name: "Answer as" }).getByText("JSON").click();
  await explorer.answers('"orders"');
  // React tells the console of the fault.
  expect(explorer.complaints.splice(0).join()).toContain("no such zone");
});

test("on a phone, all that a list tells of an order is seen without scrolling sideways", async () => {
  const viewport = { width: 390, height: 844 };
  const options = { asJson: false, withQuery: false, viewport, hasTouch: true, isMobile: true };
  const { id } = await shop.app.make.order({
    customer_email: `${"long".repeat(15)}@${"name".repeat(12)}.example.com`,
    total_amount: "12345.50",
  });
  const explorer = await shop.opened(undefined, "", options);
  const { page } = explorer;
  await explorer.signIn(shop.email, PASSWORD);
  const row = page.getByRole("row").filter({ has: page.getByLabel(`Select order ${id}`) });
  await row.waitFor();
  for (const width of [360, 390]) {
    await page.setViewportSize({ ...viewport, width });
    const parts = [row.getByText("12345.50"), row.getByText("Pending"), row.getByText(/^long/)];
    const more = row.getByRole("button", { name: /^More/ });
    const { x: end } = (await more.boundingBox())!;
    for (const part of parts) {
      const box = (await part.boundingBox())!;
      expect(box.x).toBeGreaterThan(0);
      expect(box.x + box.width).toBeLessThan(end);
      // Nothing lies over it.
      await part.click({ trial: true });
    }
    const isWide = "document.querySelector('.table-box').scrollWidth > innerWidth";
    expect(await page.evaluate(isWide)).toBe(false);
  }
});
