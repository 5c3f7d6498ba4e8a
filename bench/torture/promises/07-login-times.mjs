import bcrypt from "bcrypt";
import { URI } from "otpauth";
import { signIn } from "../../support/administrator.mjs";
import { call, connection } from "../../support/http.mjs";
import { duration, seen } from "../../support/report.mjs";
import { median, welch } from "../../support/statistics.mjs";

const MEDIANS_WITHIN = 0.02;
const WELCH_BELOW = 4.5;

export const title = "The time of a failed login does not tell why it failed";

export async function run(stage, { short }) {
  const count = short ? 80 : 1000;
  const costs = [6, 8, 10];
  await stage.set();
  // As after a change of the setting: the stored hashes have lower and higher costs, too.
  const { url } = await stage.start({ settings: { BCRYPT_COST: String(costs[1]) } });
  const causes = [
    "unknown",
    ...(await stored(stage, costs)),
    ...(await withFactors(stage, url, costs)),
  ];
  const times = new Map(causes.map((cause) => [cause, []]));
  const wrong = [];
  const agent = connection();
  for (let round = -5; round < count; round += 1) {
    for (const cause of shuffled(causes)) {
      const json = { email: `${cause}@torture.example`, password: wordOf(cause) };
      const answer = await call(url, { method: "POST", path: "/auth/login", json, agent });
      if (answer.status !== 400) wrong.push(answer.status);
      if (round >= 0) times.get(cause).push(answer.ms); // the first ones warm up
    }
  }
  agent.destroy();
  const medians = causes.map((cause) => median(times.get(cause)));
  const spread = Math.max(...medians) / Math.min(...medians) - 1;
  const pairs = causes.flatMap((one, index) =>
    causes.slice(index + 1).map((other) => [one, other]),
  );
  const t = Math.max(...pairs.map(([a, b]) => Math.abs(welch(times.get(a), times.get(b)))));
  return [
    seen(`medians ${medians.map(duration).join(", ")}`),
    seen(`apart by ${(100 * spread).toFixed(2)} %`, spread <= MEDIANS_WITHIN),
    seen(`greatest Welch t ${t.toFixed(2)}`, t < WELCH_BELOW),
    seen(`answers other than 400: ${wrong.length}`, wrong.length === 0),
  ];
}

/** Stores an active account of each cost, and an inactive one of the lowest cost. Returns their names. */
async function stored(stage, costs) {
  const names = [];
  for (const [name, cost] of [["inactive", costs[0]], ...costs.map((each) => ["known", each])]) {
    const hash = await bcrypt.hash("the right password", cost);
    names.push(`${name}-${cost}`);
    await stage.sql(
      `INSERT INTO admins (email, password_hash, is_active)
       VALUES ('${name}-${cost}@torture.example', '${hash}', ${name === "known"})`,
    );
  }
  return names;
}

/** Words after the right password: none, six digits, and a recovery code, of which none is right. */
const ENDS = { "no-code": "", "wrong-code": "000000", "wrong-recovery": `r-${"A".repeat(22)}` };

/** What a login shows: a wrong password, or the right one without its factor. */
const wordOf = (cause) => {
  const end = ENDS[cause.replace("codes-", "")];
  return end === undefined && cause !== "passkey"
    ? "a wrong password"
    : `the right password${end ?? ""}`;
};

/** Stores accounts with one-time codes, and one with a passkey. Returns their names. */
async function withFactors(stage, url, costs) {
  const password = "the right password";
  const hash = await bcrypt.hash(password, costs[1]);
  const names = [...Object.keys(ENDS).map((end) => `codes-${end}`), "codes-wrong", "passkey"];
  for (const name of names) {
    const email = `${name}@torture.example`;
    await stage.sql(`INSERT INTO admins (email, password_hash) VALUES ('${email}', '${hash}')`);
    if (name === "passkey") {
      await stage.sql(
        `INSERT INTO passkeys (admin_id, credential_id, public_key, counter, name)
         SELECT id, 'a', 'b', 0, 'Key' FROM admins WHERE email = '${email}'`,
      );
      continue;
    }
    const headers = await signIn(url, { email, password });
    const ask = async (field) => {
      const json = { query: `mutation { it: ${field} }` };
      const { text } = await call(url, { method: "POST", path: "/graphql", headers, json });
      return JSON.parse(text).data.it;
    };
    const { uri } = await ask("startOneTimeCodes { uri }");
    await ask(`confirmOneTimeCodes(code: "${URI.parse(uri).generate()}")`);
  }
  return names;
}

const shuffled = (values) =>
  values
    .map((value) => ({ value, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
