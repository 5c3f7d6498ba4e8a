import { OperationTypeNode } from "graphql";
import { operationOf } from "../operation-of";
import { isUnauthenticated, post, type Answer, type Request } from "../service";
import type { Keeper } from "./keeper";
import type { Session } from "./session";

/**
 * Sends requests with the token of the administrator who is signed in. If a query is refused because its token was
 * replaced meanwhile, or because there was none yet, it is sent once more. A mutation never is.
 */
export const sender =
  (session: Session, keeper: Keeper) =>
  async (request: Request): Promise<Answer> => {
    await keeper.ready();
    const token = session.current?.token;
    const answer = await post(request, token);
    if (!isUnauthenticated(answer)) return answer;
    if (token !== undefined) await keeper.refused(token);
    const replacement = session.current?.token;
    if (replacement === undefined || !isQuery(request)) return answer;
    const again = await post(request, replacement);
    if (isUnauthenticated(again)) await keeper.refused(replacement);
    return again;
  };

/** Whether the request certainly runs a query, so that running it again changes nothing. */
export const isQuery = (request: Request): boolean =>
  operationOf(request)?.operation.operation === OperationTypeNode.QUERY;
