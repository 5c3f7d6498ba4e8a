import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import request from "supertest";
import { inSequence } from "../../src/http/in-sequence";

/** Answers of an application that passes requests through handlers, and says what came after them. */
async function answerOf(...handlers: RequestHandler[]): Promise<string> {
  const app = express();
  app.use(inSequence(...handlers));
  app.use((_request, response) => void response.send(`passed ${response.get("seen") ?? ""}`));
  const failed: ErrorRequestHandler = (failure: unknown, _request, response, _next) => {
    response.send(`failed: ${(failure as Error).message}`);
  };
  app.use(failed);
  return (await request(app).get("/")).text;
}

const seeing =
  (name: string): RequestHandler =>
  (_request, response, next) => {
    response.append("seen", name);
    next();
  };

test("handlers run in their order, and then what comes after them", async () => {
  expect(await answerOf(seeing("one"), seeing("two"), seeing("three"))).toBe(
    "passed one,two,three",
  );
  expect(await answerOf()).toBe("passed ");
});

test("null is no failure", async () => {
  const passing: RequestHandler = (_request, _response, next) => {
    next(null);
  };
  expect(await answerOf(passing, seeing("one"))).toBe("passed one");
});

test("nothing runs after a handler that answers", async () => {
  const answering: RequestHandler = (_request, response) => void response.send("answered");
  expect(await answerOf(answering, seeing("one"))).toBe("answered");
});

test("failures are passed on, thrown or not", async () => {
  const failing: RequestHandler = (_request, _response, next) => {
    next(new Error("passed on"));
  };
  const throwing: RequestHandler = () => {
    throw new Error("thrown");
  };
  expect(await answerOf(failing, seeing("one"))).toBe("failed: passed on");
  expect(await answerOf(seeing("one"), throwing)).toBe("failed: thrown");
});
