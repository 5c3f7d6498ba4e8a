import { useApp } from "../support/app";
import { send, sendJson } from "../support/raw-http";
import { errorBody } from "../support/refusals";

jest.setTimeout(60_000);

const app = useApp({ http: { corsOrigins: ["localhost"] } });

describe("fields that libraries read with expressions that search ahead are refused where they are long", () => {
  const blanks = " ".repeat(14_000);
  const query = "/graphql?query=%7B__typename%7D";
  test.each([
    ["the type of a GET's body", { "content-type": `application/json${blanks};x` }],
    ["parameters of the type", { "content-type": `application/json;${blanks}a=b` }],
    ["types to choose from", { accept: "a/b,".repeat(3000) }],
  ])("%s", async (_label, headers) => {
    const answers = [
      await send(app.url, { method: "GET", path: query, headers }),
      await sendJson(app.url, "POST", "/graphql", '{"query":"{__typename}"}', headers),
    ];
    for (const { status, body } of answers) {
      const http = errorBody(431);
      expect([status, body]).toEqual([
        431,
        { errors: [{ message: http.message, extensions: { code: "BAD_REQUEST", http } }] },
      ]);
    }
  });

  test.each([
    ["accept", 1024],
    ["content-type", 256],
  ])("%s is refused beyond %d characters", async (name, longest) => {
    const begin = name === "accept" ? "*/*,text/" : "application/json;x=";
    const statuses = [longest, longest + 1].map(async (length) => {
      const headers = { [name]: begin.padEnd(length, "a") };
      return (await send(app.url, { method: "GET", path: query, headers })).status;
    });
    expect(await Promise.all(statuses)).toEqual([200, 431]);
  });
});
