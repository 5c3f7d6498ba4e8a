import { execute } from "../graphql/client";
import { startApp, type TestApp } from "../support/app";
import { tea, type Outcome, type Situation } from "./terminal";

let app: TestApp;
beforeEach(async () => {
  app = await startApp();
});
afterEach(() => app.close());

const exported = (command: string, situation: Situation = {}): Promise<Outcome> =>
  tea(command, { ...situation, environment: { DATABASE_URL: app.database.url } });

describe("orders", () => {
  beforeEach(async () => {
    const other = await app.make.product({ slug: "matcha", name: "Matcha, fine" });
    const product = await app.make.product({ slug: "sencha", name: "=Sencha" });
    for (const [email, status, day] of [
      ["ada@example.com", "PAID", "2026-01-31"],
      ["+bob@example.com", "PENDING", "2026-02-01"],
      ["eve@example.com", "CANCELLED", "2026-02-02"],
    ] as const) {
      const order = await app.make.order({
        customer_email: email,
        total_amount: "30.50",
        status,
        created_at: `${day}T00:00:00Z`,
      });
      if (status === "CANCELLED") continue;
      await app.make.orderItem({ order_id: order.id, product_id: product.id, quantity: 2 });
      await app.make.orderItem({ order_id: order.id, product_id: other.id, unit_price: "10.50" });
    }
    // The database may keep rows in any order.
    await app.sql("UPDATE orders SET status = status WHERE id = 1");
    await app.sql(
      `WITH moved AS (DELETE FROM order_items WHERE product_id = $1 RETURNING *)
       INSERT INTO order_items SELECT * FROM moved`,
      [product.id],
    );
  });

  test("have a line of CSV for each item", async () => {
    expect(await exported("orders export --format csv")).toEqual({
      exitCode: 0,
      stdout: [
        "orderId,status,customerEmail,createdAt,totalAmount,product,productName,quantity,unitPrice",
        "1,PAID,ada@example.com,2026-01-31T00:00:00.000Z,30.50,sencha,'=Sencha,2,10.00",
        '1,PAID,ada@example.com,2026-01-31T00:00:00.000Z,30.50,matcha,"Matcha, fine",1,10.50',
        "2,PENDING,'+bob@example.com,2026-02-01T00:00:00.000Z,30.50,sencha,'=Sencha,2,10.00",
        `2,PENDING,'+bob@example.com,2026-02-01T00:00:00.000Z,30.50,matcha,"Matcha, fine",1,10.50`,
        "3,CANCELLED,eve@example.com,2026-02-02T00:00:00.000Z,30.50,,,,",
        "",
      ].join("\n"),
      stderr: "Exported 3 entries\n",
    });
  });

  test("have decimal commas and no formulas in CSV for spreadsheets", async () => {
    const { stdout } = await exported("orders export --excel --status PENDING");
    expect(stdout).toBe(
      [
        "\ufefforderId;status;customerEmail;createdAt;totalAmount;product;productName;quantity;unitPrice",
        "2;PENDING;'+bob@example.com;2026-02-01T00:00:00.000Z;30,50;sencha;'=Sencha;2;10,00",
        "2;PENDING;'+bob@example.com;2026-02-01T00:00:00.000Z;30,50;matcha;Matcha, fine;1;10,50",
        "",
      ].join("\r\n"),
    );
  });

  test("have a line of JSON each", async () => {
    const { stdout } = await exported("orders export --format jsonl --status PAID");
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      {
        orderId: 1,
        status: "PAID",
        customerEmail: "ada@example.com",
        createdAt: "2026-01-31T00:00:00.000Z",
        totalAmount: "30.50",
        items: [
          { product: "sencha", productName: "=Sencha", quantity: 2, unitPrice: "10.00" },
          { product: "matcha", productName: "Matcha, fine", quantity: 1, unitPrice: "10.50" },
        ],
      },
    ]);
  });

  test.each([
    ["--from 2026-02-01", "2 2 3"],
    ["--before 2026-02-01T00:00:00Z", "1 1"],
    ["--from 2026-01-31T00:00:00.001Z --before 2026-02-02", "2 2"],
    ["--from 2026-02-01 --status CANCELLED", "3"],
    ["--from 2027-01-01", ""],
  ])("are those of the options: %s", async (options, ids) => {
    const { stdout } = await exported(`orders export --format csv ${options}`);
    const [, ...lines] = stdout.trimEnd().split("\n");
    expect(lines.map((line) => line.split(",")[0]).join(" ")).toBe(ids);
  });
});

test("subscribers come with whether they are active", async () => {
  await app.make.subscriber({ email: "Ada@example.com" });
  await app.make.subscriber({ email: "-eve@example.com", is_active: false });
  await app.sql("UPDATE newsletter_subscribers SET created_at = '2026-01-01T00:00:00.120Z'");
  expect((await exported("subscribers export --format csv")).stdout).toBe(
    [
      "email,isActive,createdAt",
      "Ada@example.com,true,2026-01-01T00:00:00.120Z",
      "'-eve@example.com,false,2026-01-01T00:00:00.120Z",
      "",
    ].join("\n"),
  );
  expect((await exported("subscribers export --excel")).stdout).toBe(
    [
      "\ufeffemail;isActive;createdAt",
      "Ada@example.com;true;2026-01-01T00:00:00.120Z",
      "'-eve@example.com;false;2026-01-01T00:00:00.120Z",
      "",
    ].join("\r\n"),
  );
  expect((await exported("subscribers export --format jsonl")).stdout).toContain(
    '{"email":"-eve@example.com","isActive":false,"createdAt":"2026-01-01T00:00:00.120Z"}\n',
  );
});

test("subscribers come with tokens that end their subscriptions", async () => {
  const { id } = await app.make.subscriber();
  const { stdout } = await tea("subscribers export --format jsonl --with-tokens", {
    environment: { DATABASE_URL: app.database.url, JWT_SECRET: app.settings.tokens.secret },
  });
  const { unsubscribeToken } = JSON.parse(stdout) as { unsubscribeToken: string };
  const query = `mutation { unsubscribe(token: "${unsubscribeToken}") }`;
  expect((await execute(app, { query })).body).toEqual({ data: { unsubscribe: true } });
  const [row] = await app.sql("SELECT is_active FROM newsletter_subscribers WHERE id = $1", [id]);
  expect(row).toEqual({ is_active: false });
});

describe("on a terminal, what it would obey", () => {
  const EMAIL = '"a\u001b]0;title\u0007\r\u009b2J"@example.com';
  beforeEach(() => app.make.subscriber({ email: EMAIL }));

  test.each(["csv", "jsonl"])("is shown escaped, but not in a file: %s", async (format) => {
    const command = `subscribers export --format ${format}`;
    const shown = (await exported(command, { typed: [] })).stdout;
    expect(shown).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(shown).toContain("\\u{9b}2J");
    const piped = (await exported(command, { typed: [], isPiped: true })).stdout;
    expect(piped).toContain("\u009b2J");
    expect(piped).toBe((await exported(command)).stdout);
  });
});
