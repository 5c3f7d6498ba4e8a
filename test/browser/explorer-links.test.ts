/** @check */

import type { Page } from "playwright-core";
import { PASSWORD } from "../support/factories";
import { explorers } from "./explorers";

jest.setTimeout(90_000);

const shop = explorers();

const inFront = (page: Page, name: string) =>
  page.getByRole("tab", { name, selected: true }).waitFor();

test("a link opens a prepared operation: a query runs, a mutation does not", async () => {
  const order = await shop.app.make.order();
  const explorer = await shop.opened();
  const { page } = explorer;
  const follow = (hash: string) => page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  const mutations: unknown[] = [];
  const watch = (each: Page) =>
    each.on("request", (request) => {
      if (request.postData()?.includes("NewCategory")) mutations.push(request);
    });
  watch(page);

  const variables = JSON.stringify({ id: order.id });
  await follow(`operation=OrderWithItems&variables=${encodeURIComponent(variables)}`);
  await explorer.sees("Sign in to run this operation");
  expect(page.url()).toBe(`${shop.app.url}/explorer`);
  await explorer.signIn(shop.email, PASSWORD);
  await explorer.answers(order.customer_email);
  await inFront(page, "An order with its items");

  await follow(
    "operation=new+category&variables=%7B%22input%22%3A%7B%22name%22%3A%22Linked%22%7D%7D",
  );
  await inFront(page, "New category");
  await page.getByRole("region", { name: "Variables" }).getByText("Linked").waitFor();

  const late = await shop.opened(shop.app.url, "#operation=NewCategory");
  watch(late.page);
  await inFront(late.page, "New category");
  await late.signIn(shop.email, PASSWORD);
  await late.sees("Signed in as");
  await inFront(late.page, "New category");
  expect(mutations).toEqual([]);
});

test("what is wrong with a link is told as text", async () => {
  const explorer = await shop.opened();
  const { page } = explorer;
  const follow = (hash: string) => page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await follow("operation=<img src=x onerror=alert(1)>");
  await explorer.sees("There is no operation <img src=x onerror=alert(1)>");
  await follow("operation=Catalogue&variables={");
  await explorer.sees("The variables of the link are not a JSON object");
  await follow(`operation=Catalogue&variables=${"x".repeat(9000)}`);
  await explorer.sees("The link is too long");
  await follow('operation=FindProduct&variables={"search":"<img src=x onerror=alert(1)>"}');
  await explorer.answers('"products"');
  expect(await page.locator("img[src=x]").count()).toBe(0);
  await follow("query={__typename}");
  expect(await page.getByRole("tab").allTextContents()).toEqual([
    "Catalogue with categories",
    "Find a product",
  ]);
});
