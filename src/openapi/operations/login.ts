import { LoginInput } from "../../services/administrators/inputs";
import type { ShopOperation } from "../operation";

export const loginOperations: readonly ShopOperation[] = [
  {
    id: "login",
    tag: "Administrators",
    summary: "Log in",
    description:
      "Failed logins are limited for each account and address. An unknown address, an inactive account and " +
      "a wrong password are answered alike.",
    body: {
      Input: LoginInput,
      example: { email: "admin@example.com", password: "correct horse battery" },
    },
    answer: {
      status: 200,
      description: "A token, valid for an hour unless the deployment says otherwise.",
      shape: "AccessToken",
    },
    headers: ["No-Store"],
    refusals: {
      400: ["Invalid credentials", ["email must be an email", "password should not be empty"]],
      429: [],
    },
  },
];
