import { useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { PASSWORD } from "../support/factories";
import { expectRefused } from "../support/refusals";

const app = useApp();

clause(
  "4.login",
  "POST /auth/login answers 200 with an access_token and nothing else",
  async () => {
    const { email } = await app.make.admin();
    const { status, body } = await app.http.post("/auth/login").send({ email, password: PASSWORD });
    expect([status, body]).toEqual([
      200,
      { access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) },
    ]);
  },
);

const EMAIL = "email must be an email";
const EMPTY = "password should not be empty";

clauseEach<[body: object, messages: string[]]>(
  "4.login",
  "email must be an e-mail address and password must not be empty",
  {
    nothing: [{}, [EMAIL, EMPTY]],
    "empty texts": [{ email: "", password: "" }, [EMAIL, EMPTY]],
    null: [{ email: null, password: null }, [EMAIL, EMPTY]],
    "no e-mail": [{ password: "x" }, [EMAIL]],
    "no password": [{ email: "a@example.com" }, [EMPTY]],
    "no address": [{ email: "example.com", password: "x" }, [EMAIL]],
    "a list": [{ email: ["a@example.com"], password: "x" }, [EMAIL]],
    "a number": [{ email: "a@example.com", password: 7 }, ["password must be a string"]],
    "255 characters": [{ email: `${"a".repeat(243)}@example.com`, password: "x" }, [EMAIL]],
  },
  async ([credentials, message]) => {
    expectRefused(await app.http.post("/auth/login").send(credentials), 400, message);
  },
);
