import type { Response } from "express";

/** What a door knows of its answer and neither the route nor the status says, for those who count answers. */
export interface AnswerNote {
  readonly door: string;
  /** Names that the service chooses, never ones of the client. */
  readonly operation: string;
  readonly code: string;
}

/** Notes something about the answer to a request. */
export function noteAnswer(response: Response, about: AnswerNote): void {
  response.locals.note = about;
}

export const answerNoteOf = (response: Response): AnswerNote | undefined =>
  response.locals.note as AnswerNote | undefined;
