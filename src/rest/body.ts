import type { Request } from "express";
import type { InputClass } from "../services/input/rules";
import { validate } from "../services/input/validate";

/** @throws DomainError INVALID_INPUT if the body is no valid input, with all messages */
export const inputOf = <T extends object>(Input: InputClass<T>, { body }: Request): T =>
  validate(Input, body as object, "REST");
