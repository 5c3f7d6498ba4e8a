/** @check */

import type { Page } from "playwright-core";
import { Webhook } from "standardwebhooks";
import { PASSWORD } from "../support/factories";
import { eventually } from "../support/eventually";
import { startReceiver } from "../webhooks/receiver";
import { createEndpoint, hurry, useDispatchingApp } from "../webhooks/told";
import { button, dialog, differences, more } from "./actions";
import { explorers } from "./explorers";

jest.setTimeout(60_000);

const app = useDispatchingApp();
const shop = explorers(app);

async function signedIn() {
  const explorer = await shop.opened(undefined, "", { asJson: false });
  await explorer.signIn(shop.email, PASSWORD);
  await explorer.sees("Signed in as");
  const { page } = explorer;
  const form = page.getByRole("form", { name: "Variables" });
  return { explorer, page, form };
}

/** The texts of the cells of a row: of a table's only one, if no text is given. */
const cellsOf = (page: Page, text: string | RegExp = /./) =>
  page.locator("tbody tr", { hasText: text }).last().getByRole("cell").allInnerTexts();

/** Chooses the list of endpoints once more, with what has changed since. */
async function showEndpoints({ explorer, page }: Awaited<ReturnType<typeof signedIn>>) {
  await explorer.open("Endpoints");
  await page.getByRole("heading", { name: "Webhook endpoints" }).waitFor();
}

test("an endpoint is created with a secret that is shown once, and gets another one", async () => {
  const { url, requests } = await startReceiver();
  const shown = await signedIn();
  const { explorer, page, form } = shown;
  await explorer.open("New endpoint");
  await form.getByRole("textbox", { name: "Url" }).fill("ftp://example.com");
  await page.keyboard.press("ControlOrMeta+Enter");
  await form.getByText("This is not an address such as https://example.com/events.").waitFor();
  await form.getByRole("textbox", { name: "Url" }).fill(url);
  await page.keyboard.press("ControlOrMeta+Enter");
  await form.getByText(/^Endpoint \d+ is created\. Copy its secret/).waitFor();
  const [secret, id] = await cellsOf(page);
  const kept = await page.evaluate("JSON.stringify([{ ...sessionStorage }, { ...localStorage }])");
  expect(kept).not.toContain(secret);

  await showEndpoints(shown);
  expect((await page.locator("table").innerText()).includes(secret!)).toBe(false);
  await button(page, `Send a test event, webhook endpoint ${id}`).click();
  await dialog(page).getByText(`endpoint ${id} (${url})`).waitFor();
  await button(page, "Send").click();
  await explorer.sees(`Endpoint ${id} is taking events`);
  expect(requests).toHaveLength(1);
  const ping = requests[0]!;
  const headers = ping.headers as Record<string, string>;
  expect(new Webhook(secret!).verify(ping.body, headers)).toMatchObject({ type: "test.ping" });

  await more(page, `webhook endpoint ${id}`, "New secret");
  await page.getByRole("tab", { name: "New secret", selected: true }).waitFor();
  expect(await form.getByRole("textbox", { name: "Id" }).inputValue()).toBe(id);
  // It is only opened: nothing has changed yet.
  await page.getByText(/and its answer appears here/).waitFor();
  await form.getByRole("button", { name: "Rotate webhook secret" }).click();
  await page.getByRole("heading", { name: "Secret" }).waitFor();
  const [next] = await cellsOf(page);
  expect([next === secret, next?.startsWith("whsec_")]).toEqual([false, true]);
  await app.make.category();
  await eventually(() => requests.length === 2);
  const both = requests[1]!.headers as Record<string, string>;
  for (const each of [secret, next]) {
    expect(new Webhook(each!).verify(requests[1]!.body, both)).toMatchObject({
      type: "category.created",
    });
  }
});

test("deliveries show each try's answer, and one, several or all of a time are sent again", async () => {
  const endpoint = await createEndpoint(app, { types: ["category.created"] });
  endpoint.answer = (response) => response.writeHead(500).end("Out of stock");
  const first = await app.make.category();
  await app.make.category();
  await endpoint.until(({ length }) => length === 2);
  const shown = await signedIn();
  const { explorer, page, form } = shown;
  await showEndpoints(shown);
  await button(page, `Deliveries, webhook endpoint ${endpoint.id}`).click();
  await page.getByRole("heading", { name: "Deliveries, 2 of 2" }).waitFor();
  const waiting = await cellsOf(page, String(first.id));
  expect(waiting.slice(1, 5)).toEqual([
    expect.stringMatching(/^\d+$/),
    "category.created",
    String(first.id),
    "1",
  ]);
  expect(waiting).toContain("Waiting");
  expect(waiting.join(" ")).toMatch(/: 500, “Out of stock”/);

  endpoint.answer = (response) => response.writeHead(204).end();
  const oldest = waiting[1]!;
  await button(page, `Send again, delivery ${oldest}`).click();
  await dialog(page).getByRole("button", { name: "Send again" }).click();
  await explorer.sees(`Event ${oldest} is waiting to be sent again`);
  await hurry(app);
  await endpoint.until(({ length }) => length === 4);
  await form.getByRole("radio", { name: "Delivered" }).check();
  await form.getByRole("button", { name: "Run" }).click();
  await page.getByRole("heading", { name: "Deliveries, 2 of 2" }).waitFor();
  await page.locator("tbody").getByText("Waiting").first().waitFor({ state: "detached" });
  expect((await cellsOf(page, String(first.id))).join(" ")).toMatch(/500.*\n.*: 204/s);

  await page
    .getByRole("group", { name: "Deliveries, 2 of 2" })
    .getByLabel("Select all rows")
    .check();
  await button(page, "Send 2 again").click();
  await dialog(page).getByRole("button", { name: "Send 2 again" }).click();
  await explorer.sees("2 events are waiting to be sent again");
  await endpoint.until(({ length }) => length === 6);
  const ids = endpoint.messages.map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
});

test("an endpoint says why it was switched off, and is switched on, edited and deleted", async () => {
  const endpoint = await createEndpoint(app, { description: "The warehouse" });
  endpoint.answer = (response) => response.writeHead(410).end();
  await app.make.category();
  await endpoint.until(({ length }) => length === 1);
  const shown = await signedIn();
  const { explorer, page } = shown;
  const name = `webhook endpoint ${endpoint.id}`;
  const reason = "The receiver answered 410";
  await showEndpoints(shown);
  await page.getByText(reason).first().waitFor();
  endpoint.answer = (response) => response.writeHead(204).end();
  await more(page, name, "Switch on");
  await button(page, "Switch on").click();
  await explorer.sees(`Endpoint ${endpoint.id} is switched on`);
  await endpoint.until(({ length }) => length === 2);
  await page.getByText(reason).first().waitFor({ state: "detached" });

  await more(page, name, "Edit");
  await dialog(page).getByRole("textbox", { name: "Description" }).fill("The new warehouse");
  await app.sql(
    "UPDATE webhook_endpoints SET description = 'The old one', version = version + 1 WHERE id = $1",
    [endpoint.id],
  );
  await button(page, "Save").click();
  expect(await differences(page)).toContainEqual([
    "Description",
    "The warehouse",
    "The old one",
    "The new warehouse",
  ]);
  await dialog(page).getByRole("button", { name: "Save all the same" }).click();
  await explorer.sees(`Endpoint ${endpoint.id} is saved`);
  await page.getByText("The new warehouse", { exact: true }).waitFor();

  await more(page, name, "History");
  await page.getByText("Description: The old one → The new warehouse").waitFor();
  await showEndpoints(shown);
  await more(page, name, "Delete");
  await dialog(page).getByText("with its deliveries?").waitFor();
  await dialog(page).getByRole("button", { name: "Delete" }).click();
  await explorer.sees(`Endpoint ${endpoint.id} is deleted`);
  expect(await app.sql("SELECT id FROM webhook_endpoints")).toEqual([]);
});

test("a test event waits for its outcome, and says what came back", async () => {
  const endpoint = await createEndpoint(app);
  endpoint.answer = (response) => response.writeHead(500).end();
  const shown = await signedIn();
  const { explorer, page } = shown;
  await showEndpoints(shown);
  await button(page, `Send a test event, webhook endpoint ${endpoint.id}`).click();
  await button(page, "Send").click();
  await dialog(page).getByRole("heading", { name: "is not taking events" }).waitFor();
  await dialog(page).getByText("The receiver answered 500").waitFor();
  endpoint.answer = (response) => response.destroy();
  await button(page, "Try again").click();
  await dialog(page)
    .getByText(/^No answer came: connection (closed|reset)/)
    .waitFor();
  endpoint.answer = (response) => response.writeHead(204).end();
  await button(page, "Try again").click();
  await explorer.sees(`Endpoint ${endpoint.id} is taking events`);
});
