import { Router, type RequestHandler } from "express";
import type { AuthenticationService } from "../services/authentication-service";
import { addressOf } from "../http/client-address";
import { LoginInput } from "../services/inputs/login-input";
import { validate } from "../services/validate";

/** Login of administrators (spec.md section 4). */
export function authRoutes(authentication: AuthenticationService, body: RequestHandler): Router {
  const router = Router();

  router.post("/auth/login", body, async (request, response) => {
    const input = validate(LoginInput, request.body as object);
    response.json({ access_token: await authentication.login(input, addressOf(request)) });
  });

  return router;
}
