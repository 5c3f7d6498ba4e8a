import {
  codeOf,
  login,
  ORIGIN,
  passkeyLogin,
  passkeyOptions,
  signedIn,
  told,
  withCodes,
  withPasskey,
} from "../security/factors";
import { useApp } from "../support/app";
import { graphqlClause } from "../support/clause";
import { change, leftBy } from "./entries";

const app = useApp({ publicOrigin: ORIGIN });

graphqlClause(
  "10.factors.reset",
  "what is set up and ended is an entry, and no login",
  async () => {
    const member = await signedIn(app);
    const { id: subjectId, email: actor, authorization } = member;
    const { left, result } = await leftBy(app, async () => {
      const { passkeyId: id, authenticator } = await withPasskey(app, member);
      const codes = await withCodes(app, member);
      const { email, secret, recoveryCodes } = codes;
      await login(app, { email, code: codeOf(secret) });
      await login(app, { email, code: recoveryCodes[0]! });
      await passkeyLogin(app, authenticator.get(await passkeyOptions(app)));
      await told(app, ["mutation", "endPasskey(id: $id)", "$id: ID!"], { id }, authorization);
      await told(app, ["mutation", "endOneTimeCodes"], {}, authorization);
      return codes;
    });
    const time = expect.stringMatching(/^2\d{3}-.*Z$/) as string;
    expect(left).toMatchObject(
      [
        ["confirmPasskey", change("passkey", null, "Phone")],
        ["confirmOneTimeCodes", change("oneTimeCodes", null, time)],
        ["confirmOneTimeCodes", change("recoveryCodes", null, "10")],
        ["endPasskey", change("passkey", "Phone", null)],
        ["endOneTimeCodes", change("oneTimeCodes", time, null)],
      ].map(([operation, each]) => ({
        ...{ actor, door: "GRAPHQL", operation, subject: "ADMINISTRATOR", subjectId },
        changes: [each],
      })),
    );
    const text = JSON.stringify(left);
    for (const secret of [result.secret, ...result.recoveryCodes])
      expect(text).not.toContain(secret);
  },
);
