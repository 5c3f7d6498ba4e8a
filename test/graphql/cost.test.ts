import { startApp, type TestApp } from "../support/app";

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});

afterAll(() => app.close());

interface Answer {
  readonly errors?: { message: string; extensions: { code: string } }[];
  readonly extensions?: { cost?: { cost: number } };
}

async function ask(query: string, variables?: object): Promise<Answer> {
  const { body } = await app.http
    .post("/graphql")
    .send({ query, variables, extensions: { cost: true } });
  return body as Answer;
}

const costOf = async (query: string, variables?: object): Promise<number | undefined> =>
  (await ask(query, variables)).extensions?.cost?.cost;

test("page sizes count the same however they are given", async () => {
  const selection = "{ data { category { id } } }";
  const literal = await costOf(`{ products(pageSize: 50) ${selection} }`);
  const asVariable = `query ($n: Int!) { products(pageSize: $n) ${selection} }`;
  const byDefault = `query ($n: Int! = 50) { products(pageSize: $n) ${selection} }`;
  expect(literal).toBe(101);
  expect(await costOf(asVariable, { n: 50 })).toBe(literal);
  expect(await costOf(byDefault)).toBe(literal);
  expect(await costOf(byDefault, { n: 10 })).toBe(await costOf(`{ products ${selection} }`));
});

test("a variable that is missing is refused by the language, whatever it would cost", async () => {
  const query = "query ($n: Int!) { products(pageSize: $n) { data { id } } }";
  expect(await ask(query)).toMatchObject({ errors: [{ extensions: { code: "BAD_USER_INPUT" } }] });
  const mutation = "mutation ($id: Int!) { deleteProduct(id: $id) { id } }";
  expect(await ask(mutation)).toMatchObject({
    errors: [{ extensions: { code: "BAD_USER_INPUT" } }],
  });
});
