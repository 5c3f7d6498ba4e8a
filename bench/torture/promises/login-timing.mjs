import { call, connection } from "../../support/http.mjs";
import { duration, seen } from "../../support/report.mjs";
import { median, welch } from "../../support/statistics.mjs";

const MEDIANS_WITHIN = 0.02;
const WELCH_BELOW = 4.5;

export const loginTiming = {
  title: "The time of a failed login does not tell why it failed",
  async run(stage, { short }) {
    const count = short ? 300 : 1000;
    const settings = {
      BCRYPT_COST: "8",
      ADMIN_EMAIL: "active@torture.example",
      ADMIN_PASSWORD: "the right password",
    };
    const { postgres, databaseUrl } = await stage.set();
    const { url } = await stage.start({ settings });
    await postgres.sql(
      databaseUrl,
      `INSERT INTO admins (email, password_hash, is_active)
       SELECT 'inactive@torture.example', password_hash, false FROM admins LIMIT 1`,
    );
    const causes = ["unknown", "inactive", "active"];
    const times = new Map(causes.map((cause) => [cause, []]));
    const wrong = [];
    const agent = connection();
    for (let round = -20; round < count; round += 1) {
      for (const cause of shuffled(causes)) {
        const json = { email: `${cause}@torture.example`, password: "a wrong password" };
        const answer = await call(url, { method: "POST", path: "/auth/login", json, agent });
        if (answer.status !== 400) wrong.push(answer.status);
        if (round >= 0) times.get(cause).push(answer.ms); // the first ones warm up
      }
    }
    agent.destroy();
    const medians = causes.map((cause) => median(times.get(cause)));
    const spread = Math.max(...medians) / Math.min(...medians) - 1;
    const pairs = causes.map((cause, index) => [cause, causes[(index + 1) % causes.length]]);
    const t = Math.max(...pairs.map(([a, b]) => Math.abs(welch(times.get(a), times.get(b)))));
    return {
      done: `${count} logins each, interleaved at random: unknown, inactive, wrong password; bcrypt cost 8, as a cheaper comparison hides less`,
      findings: [
        seen(`medians ${medians.map(duration).join(", ")}`),
        seen(`apart by ${(100 * spread).toFixed(2)} %`, spread <= MEDIANS_WITHIN),
        seen(`greatest Welch t ${t.toFixed(2)}`, t < WELCH_BELOW),
        seen(`answers other than 400: ${wrong.length}`, wrong.length === 0),
      ],
    };
  },
};

const shuffled = (values) =>
  values
    .map((value) => ({ value, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
