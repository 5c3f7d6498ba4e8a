import express, { type ErrorRequestHandler, type Express, type Request } from "express";
import { answerWith, MOST_BYTES, type ReceiverOptions } from "./answer";

/** An endpoint for the shop's webhooks. In an app of yours: `app.use("/webhooks", receiver({ … }))`. */
export function receiver(options: ReceiverOptions): Express {
  const { report = console.error } = options;
  const answer = answerWith(options);
  const app = express();
  // The bytes as they were sent, whatever their type: verify.ts says why.
  const raw = express.raw({ type: () => true, limit: MOST_BYTES });
  app.post("/", raw, async (request, response) => {
    response.status(await answer(bodyOf(request), request.headers)).end();
  });

  const refuse: ErrorRequestHandler = (error, _request, response, _next) => {
    // Of the parser, such as 413 for a body that is too long.
    const { status = 500 } = error as { status?: number };
    if (status === 500) report(error);
    response.status(status).end();
  };
  app.use(refuse);
  return app;
}

/** The bytes of a body, of which a request without one has none. */
function bodyOf({ body }: Request): Buffer {
  if (Buffer.isBuffer(body)) return body;
  if (body === undefined) return Buffer.alloc(0);
  throw new Error("Another parser has read the body: put the receiver before express.json()");
}
