import type { Authentication } from "../services/administrators/authentication";
import { addressOf } from "../http/request/client-address";
import { sendJson } from "../http/answer/send";
import { LoginInput } from "../services/administrators/inputs";
import { inputOf } from "./parameters";
import type { Serve } from "./routes";
import { presentAccessToken } from "./presenters";

/** Login of administrators (contract 4.login). */
export function addAuthRoutes(serve: Serve, authentication: Authentication): void {
  serve("login", async (request, response) => {
    const input = inputOf(LoginInput, request);
    sendJson(response, presentAccessToken(await authentication.login(input, addressOf(request))));
  });
}
