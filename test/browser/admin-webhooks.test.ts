/** @check */

import { Webhook } from "standardwebhooks";
import { eventTypes, TEST_EVENT } from "../../src/services/events/event-types";
import { startReceiver } from "../webhooks/receiver";
import { createEndpoint, hurry, useDispatchingApp } from "../webhooks/told";
import { faultsIn } from "./accessibility";
import { admins } from "./admins";

jest.setTimeout(90_000);

const app = useDispatchingApp();
const shop = admins(app);

test("an endpoint is created with events by check boxes, and its secret is shown this once", async () => {
  const { url, requests } = await startReceiver();
  const page = await shop.signedIn("/webhooks");
  await page.getByRole("link", { name: "New endpoint" }).click();
  const events = page.getByRole("group", { name: "Events" });
  await events.waitFor();
  expect(await events.getByRole("checkbox").count()).toBe(eventTypes.length - 1);
  await page.getByLabel("URL").fill("ftp://example.com");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator("[aria-invalid=true]").waitFor();
  await page.getByLabel("URL").fill(url);
  await page.getByLabel("Category created").check();
  expect(await faultsIn(page)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();

  const dialog = page.getByRole("dialog", { name: "Secret" });
  const secret = await dialog.getByLabel("Secret", { exact: true }).inputValue();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  expect(await faultsIn(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Copy" }).click();
  await page.getByText("Copied").waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(secret);

  await page.getByRole("button", { name: "Send a test event" }).click();
  await page.getByRole("alert").getByText("The receiver answered 200: thank you").waitFor();
  const [ping] = requests;
  const headers = ping!.headers as Record<string, string>;
  expect(new Webhook(secret).verify(ping!.body, headers)).toMatchObject({ type: TEST_EVENT });
  expect(await page.content()).not.toContain(secret);
  expect(await faultsIn(page)).toEqual([]);
});

test("deliveries show each try's answer, and are sent again: one, or all of some days", async () => {
  const endpoint = await createEndpoint(app, { types: ["category.created"] });
  endpoint.answer = (response) => response.writeHead(410).end("<b>Gone</b>");
  const { id: category } = await app.make.category();
  await endpoint.until(({ length }) => length === 1);
  const page = await shop.signedIn(`/webhooks/${endpoint.id}`);
  await page.getByText(/410: <b>Gone<\/b>/).waitFor();
  await page.getByText(/^Off: /).waitFor();
  await page.getByRole("button", { name: "Send a test event" }).click();
  await page.getByText("The endpoint is off, so the event waits.").waitFor();
  endpoint.answer = (response) => response.writeHead(204).end();
  await page.getByRole("button", { name: "Switch on" }).click();
  await endpoint.until(({ length }) => length === 3);

  await page.getByRole("button", { name: `Send again: Category created ${category}` }).click();
  await page.getByText("It is sent again").waitFor();
  await hurry(app);
  await endpoint.until(({ length }) => length === 4);
  await page.getByRole("button", { name: "Send events again" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send events again" }).click();
  await page.getByText("1 event is sent again").waitFor();
  await endpoint.until(({ length }) => length === 5);
  expect(await faultsIn(page)).toEqual([]);
});

test("an endpoint is edited, whoever else does so, and deleted after a question", async () => {
  const { id } = await createEndpoint(app);
  const page = await shop.signedIn(`/webhooks/${id}`);
  await page.getByLabel("Description").fill("The warehouse");
  await app.sql("UPDATE webhook_endpoints SET types = '{order.placed}', version = 2");
  await page.getByRole("button", { name: "Save" }).click();
  const conflict = page.getByRole("dialog", { name: "Somebody has changed it meanwhile" });
  await conflict.getByRole("row", { name: "Events" }).getByText("order.placed").waitFor();
  await conflict.getByRole("button", { name: "Save what you want" }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  const sql = "SELECT description, version FROM webhook_endpoints WHERE id = $1";
  expect(await app.sql(sql, [id])).toEqual([{ description: "The warehouse", version: 3 }]);
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Go back");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "Webhooks" }).waitFor();
  expect(await app.sql(sql, [id])).toEqual([]);
});
