import { explorers } from "./explorers";
import { answerOf, forms, hasFocus, messageOf, run, variablesOf, write } from "./forms";

jest.setTimeout(60_000);

const shop = explorers();
const { opened, signedIn } = forms(shop);

const INCOMPLETE = "This is not a date with a time.";

test("form and JSON are two views of one value", async () => {
  const { page, form } = await opened();
  await write(
    page,
    `mutation Edit($id: Int!, $input: UpdateProductInput!, $half: Float) {
      updateProduct(id: $id, input: $input) { id }
    }`,
  );
  const json = async (text: string) => {
    await page.getByRole("group", { name: "Variables as" }).getByText("JSON").click();
    await page.getByRole("region", { name: "Variables" }).click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText(text);
  };
  const showForm = () =>
    page.getByRole("group", { name: "Variables as" }).getByText("Form").click();
  await json('{ "id": 5, "input": { "description": "Fine", "slug": null } }');
  await showForm();
  const description = form.getByRole("textbox", { name: "Description" });
  const half = form.getByRole("textbox", { name: "Half" });
  expect(await form.getByRole("textbox", { name: "Id", exact: true }).inputValue()).toBe("5");
  expect(await description.inputValue()).toBe("Fine");
  await form.getByText("Sent as null.").waitFor();

  await description.fill("");
  await form.getByRole("radiogroup", { name: "Is active" }).getByText("Yes").click();
  await half.pressSequentially("-0.50");
  expect(await half.inputValue()).toBe("-0.50");
  expect(await variablesOf(page)).toEqual({
    id: 5,
    input: { description: "", slug: null, isActive: true },
    half: -0.5,
  });
  await half.pressSequentially("e");
  expect(await variablesOf(page)).toMatchObject({ half: "-0.50e" });
  await half.press("Tab");
  expect(await messageOf(half)).toBe("This is not a number.");
  await half.fill("");
  await form.getByRole("button", { name: "Clear description" }).click();
  await form.getByRole("button", { name: "Clear slug" }).click();
  await form.getByRole("radiogroup", { name: "Is active" }).getByText("Not set").click();
  await form.getByRole("textbox", { name: "Name" }).pressSequentially("a");
  await page.keyboard.press("Backspace");
  expect(await variablesOf(page)).toEqual({ id: 5, input: {} });

  await json("{ oops");
  await showForm();
  await form.getByText("The variables are not a JSON object").waitFor();
  await write(page, "query {");
  await form.getByText("The query can't be read").waitFor();
  await write(page, "query Names { categories { name } }");
  await form.getByText("This operation takes no variables.").waitFor();
  expect((await answerOf(page, "Names", () => run(form))).data).toBeDefined();
});

test("12,50 is an amount for a reader whose language writes so; 1,234 and 1.230 are asked about, and refused", async () => {
  const { page, form } = await opened({ locale: "de-DE" });
  await write(
    page,
    "query Cheap($maxPrice: Decimal) { products(filter: { maxPrice: $maxPrice }) { meta { total } } }",
  );
  const price = form.getByRole("textbox", { name: "Max price" });
  await price.fill("12,50");
  const { data } = await answerOf(page, "Cheap", () => price.press("Enter"));
  expect(data.products.meta).toBeDefined();
  expect(await variablesOf(page)).toEqual({ maxPrice: "12.50" });
  for (const [typed, question] of [
    ["1,234", "1,234 may be read in two ways. Write 1234, or 1.23."],
    ["1.230", "1.230 may be read in two ways. Write 1230, or 1.23."],
  ] as const) {
    await price.fill(typed);
    const refused = await answerOf(page, "Cheap", () => price.press("Enter"));
    expect(refused.errors).toMatchObject([{ extensions: { code: "BAD_USER_INPUT" } }]);
    await form.getByText(question).waitFor();
    expect(await price.inputValue()).toBe(typed);
  }
});

test("a time is picked in the reader's zone, and the filter has the exact instant", async () => {
  await shop.app.make.order({
    customer_email: "before@example.com",
    created_at: "2026-07-01T18:29:59Z",
  });
  await shop.app.make.order({
    customer_email: "after@example.com",
    created_at: "2026-07-01T18:30:00Z",
  });
  const { explorer, page, form } = await signedIn({ timezoneId: "Asia/Kolkata" });
  // It runs at once; that answer must not be taken for the one with the time.
  await answerOf(page, "TodaysOrders", () => explorer.open("Today's orders"));
  // The tab before it has the same field.
  await page.getByRole("tab", { name: "Today's orders", selected: true }).waitFor();
  await form.getByLabel("Placed from").fill("2026-07-02T00:00");
  expect(await variablesOf(page)).toMatchObject({
    filter: { placedFrom: "2026-07-01T18:30:00.000Z" },
  });
  const { data } = await answerOf(page, "TodaysOrders", () => run(form));
  const addresses = data.orders.data.map((order: { customerEmail: string }) => order.customerEmail);
  expect(addresses).toContain("after@example.com");
  expect(addresses).not.toContain("before@example.com");

  // What a picker can't hold is a text, and stays as it is.
  const precise = { filter: { placedFrom: "2026-07-01T18:30:00.123Z" } };
  await page.evaluate(
    `document.querySelector(".graphiql-editor-tool .CodeMirror").CodeMirror
      .setValue(${JSON.stringify(JSON.stringify(precise))})`,
  );
  const from = form.getByLabel("Placed from");
  expect(await from.getAttribute("type")).toBe("text");
  expect(await from.inputValue()).toBe(precise.filter.placedFrom);
  await form.getByRole("textbox", { name: "Customer email" }).fill("a@example.com");
  expect(await variablesOf(page)).toMatchObject(precise);
  await form.getByRole("textbox", { name: "Customer email" }).fill("");
  expect(await variablesOf(page)).toEqual(precise);

  await from.fill("");
  await form.getByRole("button", { name: "Remove filter" }).focus();
  expect(await from.getAttribute("type")).toBe("datetime-local");
  expect(await variablesOf(page)).toEqual({ filter: {} });
  await form.getByRole("button", { name: "Remove filter" }).click();
  expect(await page.locator(":focus").innerText()).toBe("Add filter");
  expect(await variablesOf(page)).toEqual({});
  await page.keyboard.press("Enter");
  expect(await page.locator(":focus").getAttribute("type")).toBe("radio");
  expect(await variablesOf(page)).toEqual({ filter: {} });
});

test("a date without a time is told at its field, and neither a list nor a file goes ahead with it", async () => {
  await shop.app.make.order({ customer_email: "any@example.com" });
  const { explorer, page, form } = await signedIn();
  await explorer.open("All orders");
  const downloads: unknown[] = [];
  page.on("download", (download) => downloads.push(download));
  const file = page.getByRole("button", { name: "Download CSV" });
  await file.waitFor();
  const from = form.getByLabel("Placed from");
  await from.focus();
  await page.keyboard.type("11012026");
  await file.click();
  expect(await messageOf(from)).toBe(INCOMPLETE);
  await page.getByText("The form has a value that can't be used. Correct it first.").waitFor();
  expect(downloads).toEqual([]);
  const refused = await answerOf(page, "AllOrders", () => from.press("Enter"));
  expect(refused.data).toBeUndefined();
  expect(refused.errors).toMatchObject([{ extensions: { code: "BAD_USER_INPUT" } }]);
  await form.getByText(INCOMPLETE).waitFor();
  expect(await hasFocus(from)).toBe(true);

  // Completed, it is a time; taken back, it is none.
  await from.fill("2026-01-11T09:30");
  expect(await messageOf(from)).toBe("");
  const { data } = await answerOf(page, "AllOrders", () => run(form));
  expect(data.orders.data).not.toEqual([]);
  await from.focus();
  await page.keyboard.press("Backspace"); // the first part of it
  await form.getByRole("button", { name: "Remove filter" }).focus();
  expect(await messageOf(from)).toBe(INCOMPLETE);
  await from.fill("");
  await form.getByRole("button", { name: "Remove filter" }).focus();
  expect(await messageOf(from)).toBe("");
  expect(await variablesOf(page)).toMatchObject({ filter: {} });
  await answerOf(page, "AllOrders", () => run(form));
  const [download] = await Promise.all([page.waitForEvent("download"), file.click()]);
  expect(download.suggestedFilename()).toMatch(/^orders-.*\.csv$/);
});

test("a category is found, created and run by keyboard on a narrow screen", async () => {
  const { page, form } = await signedIn({ viewport: { width: 390, height: 844 } });
  await shop.app.make.category({ name: "Oolong" });
  const two = await shop.app.make.category({ name: "Oolong Two" });
  await write(
    page,
    `query Some($categoryId: Int) { products(filter: { categoryId: $categoryId }) { meta { total } } }`,
  );
  const choice = form.getByRole("combobox", { name: "Category" });
  await choice.focus();
  await page.keyboard.type("oolong");
  await form.getByRole("option", { name: "Oolong Two" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  expect(await variablesOf(page)).toEqual({ categoryId: two.id });
  const { data } = await answerOf(page, "Some", () => page.keyboard.press("Enter"));
  expect(data.products.meta.total).toBe(0);
  await page.keyboard.press("ArrowDown");
  await form.getByRole("listbox").waitFor();
  await page.keyboard.press("Escape");
  await form.getByRole("listbox").waitFor({ state: "hidden" });
  await page.keyboard.type("987654");
  await page.keyboard.press("Tab");
  expect(await variablesOf(page)).toEqual({ categoryId: 987654 });
  expect(await choice.inputValue()).toBe("987654");
  await page.keyboard.press("Enter");
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
});

test("an id is typed where the names can't be loaded", async () => {
  const { page, form } = await opened();
  await page.route("**/graphql", async (route) => {
    const { query } = route.request().postDataJSON() as { query: string };
    const json = { errors: [{ message: "Not today" }] };
    return query.includes("query Choices") ? route.fulfill({ json }) : route.fallback();
  });
  await write(
    page,
    "query Some($categoryId: Int) { products(filter: { categoryId: $categoryId }) { meta { total } } }",
  );
  const choice = form.getByRole("combobox", { name: "Category" });
  await choice.click();
  await form.getByText("The names could not be loaded; type the id.").waitFor();
  await choice.fill("7");
  expect(await variablesOf(page)).toEqual({ categoryId: 7 });
  await choice.fill("");
  expect(await variablesOf(page)).toEqual({});
});
