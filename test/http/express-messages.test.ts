import { createServer } from "node:http";
import express from "express";
import supertest from "supertest";
import { messageClassesFor } from "../../src/process/server";

// Fails if a release of Express sets prototypes other than those that the messages are created with.
test("Express leaves the prototypes of the server's messages as they are", async () => {
  const app = express();
  app.get("/", (request, response) => {
    response.json({ path: request.path });
  });
  const server = createServer(messageClassesFor(app));
  const prototypes: object[] = [];
  server.on("request", (request, response) => {
    const note = () => {
      for (const message of [request, response]) {
        prototypes.push(Object.getPrototypeOf(message) as object);
      }
    };
    note();
    app(request, response);
    note();
  });
  await supertest(server).get("/").expect(200, { path: "/" });
  const [requestBefore, responseBefore, requestAfter, responseAfter] = prototypes;
  expect(requestAfter).toBe(requestBefore);
  expect(responseAfter).toBe(responseBefore);
});
