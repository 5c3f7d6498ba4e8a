import type { FactorsQuery, SessionListQuery, TokenListQuery } from "../api/generated/graphql";
import { graphql } from "../api/graphql";
import { post } from "../api/post";
import { request } from "../api/request";
import { madeBy, StartPasskeyLogin } from "../session/passkeys";

const SessionList = graphql(`
  query SessionList { sessions { id startedAt lastUsedAt address client isCurrent } }
`);

const EndSession = graphql(`
  mutation EndSession($id: ID!) { endSession(id: $id) }
`);

const EndOtherSessions = graphql(`
  mutation EndOtherSessions { endOtherSessions }
`);

const Factors = graphql(`
  query Factors {
    secondFactors { oneTimeCodes recoveryCodesLeft passkeys { id name createdAt lastUsedAt } }
  }
`);

const StartCodes = graphql(`
  mutation StartCodes { startOneTimeCodes { secret uri } }
`);

const ConfirmCodes = graphql(`
  mutation ConfirmCodes($code: String!) { confirmOneTimeCodes(code: $code) }
`);

const EndCodes = graphql(`
  mutation EndCodes { endOneTimeCodes }
`);

const StartPasskey = graphql(`
  mutation StartPasskey { startPasskey }
`);

const ConfirmPasskey = graphql(`
  mutation ConfirmPasskey($name: String!, $response: JSON!) {
    confirmPasskey(name: $name, response: $response) { id }
  }
`);

const EndPasskey = graphql(`
  mutation EndPasskey($id: ID!) { endPasskey(id: $id) }
`);

const TokenList = graphql(`
  query TokenList { programTokens { id name readOnly createdAt lastUsedAt endsAt } }
`);

const CreateToken = graphql(`
  mutation CreateToken($name: String!, $endsAt: DateTime!, $readOnly: Boolean!) {
    createProgramToken(name: $name, endsAt: $endsAt, readOnly: $readOnly) { secret }
  }
`);

const EndToken = graphql(`
  mutation EndToken($id: ID!) { endProgramToken(id: $id) }
`);

export type Session = SessionListQuery["sessions"][number];
export type SecondFactors = FactorsQuery["secondFactors"];
export type ProgramToken = TokenListQuery["programTokens"][number];

// Everything here throws Failure.

export const sessions = async (): Promise<Session[]> => (await request(SessionList, {})).sessions;
export const endSession = (id: string) => request(EndSession, { id });
export const endOtherSessions = () => request(EndOtherSessions, {});

export const factors = async (): Promise<SecondFactors> =>
  (await request(Factors, {})).secondFactors;

/** A secret of one-time codes, which holds when one of its codes is confirmed. */
export const startCodes = async () => (await request(StartCodes, {})).startOneTimeCodes;

/** Returns the recovery codes, which nothing returns again. */
export const confirmCodes = async (code: string): Promise<string[]> =>
  (await request(ConfirmCodes, { code })).confirmOneTimeCodes;
export const endCodes = () => request(EndCodes, {});

/** Why there can be no passkeys, in the service's words; undefined if there can. */
export const passkeysOff = async (): Promise<string | null> =>
  post(StartPasskeyLogin, {}).then(
    () => null,
    (fault: unknown) => (fault as Error).message,
  );

/** Lets the browser make a passkey, and stores it. */
export async function addPasskey(name: string): Promise<void> {
  const response = await madeBy((await request(StartPasskey, {})).startPasskey);
  await request(ConfirmPasskey, { name, response });
}
export const endPasskey = (id: string) => request(EndPasskey, { id });

export const tokens = async (): Promise<ProgramToken[]> =>
  (await request(TokenList, {})).programTokens;

/** Returns the token, which nothing returns again. */
export const createToken = async (name: string, endsAt: string, readOnly: boolean) =>
  (await request(CreateToken, { name, endsAt, readOnly })).createProgramToken.secret;
export const endToken = (id: string) => request(EndToken, { id });
