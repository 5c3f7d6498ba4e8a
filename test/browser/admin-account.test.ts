/** @check */

import type { Page } from "playwright-core";
import { tea } from "../cli/terminal";
import { codeOf, unused } from "../security/factors";
import { NEXT, tokenOf } from "../security/own-account";
import { useApp, type TestApp } from "../support/app";
import { eventually } from "../support/eventually";
import { PASSWORD } from "../support/factories";
import { faultsIn } from "./accessibility";
import { admins, signIn } from "./admins";
import { addAuthenticator, useLocalShop } from "./local-shop";

jest.setTimeout(120_000);

const app = useLocalShop();
const shop = admins(app);

const PHONE = { width: 390, height: 844 };
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const open = (page: Page, path: string) => page.goto(`${app.url}/admin${path}`);
const signedIn = (page: Page) => button(page, "Sign out").waitFor();

const idOf = async (email: string): Promise<number> =>
  (await app.sql<{ id: number }>("SELECT id FROM admins WHERE email = $1", [email]))[0]!.id;

/** Ends the fresh look of every session. */
const grow = (shopOf: TestApp = app) =>
  shopOf.sql("UPDATE sessions SET confirmed_at = now() - interval '11 minutes'");

const sessionsOf = async (email: string): Promise<number> =>
  (
    await app.sql("SELECT FROM sessions WHERE admin_id = $1 AND program IS NULL", [
      await idOf(email),
    ])
  ).length;

/** Sets up one-time codes on the page of the account, with the keyboard; returns the secret and the recovery codes. */
async function setUpCodes(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  await button(page, "Set up one-time codes").press("Enter");
  const secret = await dialog(page, "Set up one-time codes").getByLabel("Secret").inputValue();
  await page.keyboard.type(codeOf(secret));
  await page.keyboard.press("Enter");
  const codes = dialog(page, "Recovery codes").getByLabel("Recovery codes");
  const recoveryCodes = (await codes.inputValue()).split("\n");
  await page.keyboard.press("Escape");
  return { secret, recoveryCodes };
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByLabel("Name of the passkey").fill(name);
  await button(page, "Add a passkey").click();
  await page.getByRole("table", { name: "Passkeys" }).getByText(name).waitFor();
}

async function signInWithCode(page: Page, code: string): Promise<void> {
  await page.getByLabel("Code", { exact: true }).fill(code);
  await signIn(page, shop.email);
}

test("a passkey is set up, signs in by itself, and confirms; what was typed goes on", async () => {
  const page = await shop.signedIn("/account");
  await addAuthenticator(page);
  await addPasskey(page, "Laptop");

  await button(page, "Sign out").click();
  await button(page, "Use a passkey").click();
  await signedIn(page);
  await open(page, "/account");
  await grow();
  await page.getByLabel("Name of the token").fill("Stock");
  await button(page, "Create a token").click();
  await dialog(page, "Is it you?").getByRole("button", { name: "Confirm with a passkey" }).click();
  const token = await dialog(page, "Token").getByLabel("Token").inputValue();
  const authorization = `Bearer ${token}`;
  expect((await app.http.get("/orders").set({ authorization })).status).toBe(200);

  await page.keyboard.press("Escape");
  const row = page.getByRole("table", { name: "Tokens for programs" }).getByRole("row");
  await row.filter({ hasText: "Stock" }).getByRole("button", { name: "End" }).click();
  await dialog(page, "End the token Stock?").getByRole("button", { name: "End" }).click();
  await page.getByText("The token has ended").waitFor();
  expect((await app.http.get("/orders").set({ authorization })).status).toBe(401);

  await page.getByRole("table", { name: "Passkeys" }).getByRole("button", { name: "End" }).click();
  await dialog(page, "End the passkey Laptop?").getByRole("button", { name: "End" }).click();
  await page.getByText("The passkey has ended").waitFor();
});

test("codes are set up and used by keyboard on a phone; other sessions end, and recovery codes count", async () => {
  const page = await shop.signedIn("/account", { viewport: PHONE });
  await tokenOf(app, shop.email);
  await page.getByText("One-time codes are off.").waitFor();
  const { secret, recoveryCodes } = await setUpCodes(page);
  expect(recoveryCodes).toHaveLength(10);
  await dialog(page, "End your other sessions?").waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("Your other sessions have ended").waitFor();
  expect(await sessionsOf(shop.email)).toBe(1);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);

  await button(page, "Sign out").press("Enter");
  await signIn(page, shop.email);
  await page.getByText("Invalid credentials.").waitFor();
  await unused(app, { id: await idOf(shop.email) });
  await page.getByLabel("Password").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.type(codeOf(secret));
  await page.keyboard.press("Enter");
  await signedIn(page);
  // The heading takes the focus when the page has opened, and would get a key that is pressed before.
  await page.locator("h1:focus").waitFor();

  await button(page, "Sign out").press("Enter");
  await signInWithCode(page, recoveryCodes[0]!);
  await signedIn(page);
  await open(page, "/account");
  await page.getByText("9 recovery codes are left").waitFor();
  await grow();
  await button(page, "End one-time codes").click();
  await dialog(page, "End your one-time codes?").getByRole("button").last().click();
  await dialog(page, "Is it you?").getByLabel("Code", { exact: true }).fill(recoveryCodes[1]!);
  await page.keyboard.press("Enter");
  await page.getByText("One-time codes are off.").waitFor();
});

test("a session that was ended elsewhere is told in all tabs, and the form goes on", async () => {
  const { id } = await app.make.product({ price: "10.00" });
  const page = await shop.signedIn(`/products/${id}`);
  const other = await page.context().newPage();
  await open(other, "/orders");
  await other.getByRole("heading", { name: "Orders" }).waitFor();
  await page.getByRole("textbox", { name: "Price" }).fill("12");
  const elsewhere = await shop.signedIn("/account");
  await elsewhere.getByRole("button", { name: /^End the session of Chrome/ }).click();
  await elsewhere.getByText("The session has ended").waitFor();

  await button(page, "Save").click();
  const again = "Your session has ended";
  await Promise.all([page, other].map((tab) => dialog(tab, again).waitFor()));
  await dialog(other, again).getByLabel("Password").fill(PASSWORD);
  await dialog(other, again).getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("Saved").waitFor();
  expect(await app.sql("SELECT price FROM products WHERE id = $1", [id])).toEqual([
    { price: "12.00" },
  ]);
});

test("who does not confirm gets nothing done, and the right password goes on", async () => {
  const page = await shop.signedIn("/account");
  await page.getByText("One-time codes are off.").waitFor();
  await grow();
  await button(page, "Set up one-time codes").click();
  await dialog(page, "Is it you?").waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("Nothing was done").waitFor();
  await button(page, "Set up one-time codes").click();
  await page.keyboard.type("wrong horse, wrong battery");
  await page.keyboard.press("Enter");
  await dialog(page, "Is it you?").getByText("Invalid credentials.").waitFor();
  await dialog(page, "Is it you?").getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("img", { name: "A picture to scan" }).waitFor();
});

test("an export asks who it is, and goes on", async () => {
  await app.make.order();
  const page = await shop.signedIn("/orders");
  await grow();
  await button(page, "Export").click();
  const file = page.waitForEvent("download");
  await button(page, "Save file").click();
  await dialog(page, "Is it you?").getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await file;
});

test("signing out ends the session at the service, and all tabs even if that hangs", async () => {
  const page = await shop.signedIn("/account");
  await button(page, "Sign out").click();
  await eventually(async () => (await sessionsOf(shop.email)) === 0);

  await signIn(page, shop.email);
  await signedIn(page);
  const other = await page.context().newPage();
  await open(other, "/account");
  await signedIn(other);
  await page.context().route("**/graphql", () => undefined);
  await button(page, "Sign out").click();
  await Promise.all([page, other].map((tab) => button(tab, "Sign in").waitFor()));
});

test("an invitation leads to a page to choose a password, once", async () => {
  const { secret: JWT_SECRET } = app.settings.tokens;
  const environment = { DATABASE_URL: app.database.url, JWT_SECRET, PUBLIC_ORIGIN: app.url };
  const { stdout } = await tea("admin invite ivy@example.com", { environment });
  const path = new URL(stdout.trim()).hash;
  const choose = async (page: Page): Promise<void> => {
    for (const field of await page.getByLabel(/^New password/).all()) await field.fill(NEXT);
    await button(page, "Sign in").click();
  };
  const page = await shop.opened(path);
  await page.getByRole("heading", { name: "Choose your password" }).waitFor();
  expect(page.url()).toBe(`${app.url}/admin`);
  await choose(page);
  await page.getByRole("link", { name: "Account of ivy@example.com" }).waitFor();

  const late = await shop.opened(path);
  await late.getByRole("heading", { name: "Choose your password" }).waitFor();
  await choose(late);
  await late.getByText("Invalid credentials.").waitFor();
});

test.each(["light", "dark"] as const)("axe finds nothing serious, %s", async (colorScheme) => {
  const page = await shop.opened("#invitation=a-token", { colorScheme, viewport: PHONE });
  await page.getByRole("heading", { name: "Choose your password" }).waitFor();
  expect(await faultsIn(page)).toEqual([]);
  await open(page, "/account");
  await button(page, "Use a code").click();
  expect(await faultsIn(page)).toEqual([]);
  await signIn(page, shop.email);
  await signedIn(page);
  await open(page, "/account");
  await addAuthenticator(page);
  await addPasskey(page, "Phone");
  await page.getByLabel("Name of the token").fill("Stock");
  await button(page, "Create a token").click();
  await dialog(page, "Token").waitFor();
  expect(await faultsIn(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await button(page, "Set up one-time codes").click();
  await page.getByRole("img", { name: "A picture to scan" }).waitFor();
  expect(await faultsIn(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await setUpCodes(page);
  await page.getByText("One-time codes are on.").waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await faultsIn(page)).toEqual([]);
  await grow();
  await button(page, "Set up anew").click();
  await dialog(page, "Is it you?").getByLabel("Code", { exact: true }).waitFor();
  expect(await faultsIn(page)).toEqual([]);
});

describe("where a second factor is demanded, and there are no passkeys", () => {
  const strict = useApp({ requireSecondFactor: true });
  const strictShop = admins(strict);

  test("who has none is led to set one up, and is told why it can be no passkey", async () => {
    const page = await strictShop.signedIn("/orders");
    await page.getByText("This shop demands a second factor.").waitFor();
    await page.getByText("PUBLIC_ORIGIN").waitFor();
    await setUpCodes(page);
    await page.getByText("This shop demands a second factor.").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Orders" }).click();
    await page.getByRole("heading", { level: 1, name: "Orders" }).waitFor();
    await page.getByText("Nothing matches").waitFor();
  });
});
