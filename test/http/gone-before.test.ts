import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import express, { type Response } from "express";
import { abandonmentOf } from "../../src/http/request/abandonment";
import { sendParts } from "../../src/http/answer/send";
import { openSocket } from "../support/raw-http";

// The work before a list, such as the check of a token, may take longer than the client waits.

/** Serves one request of a client that goes away before the service looks at its connection. */
async function serveGone<Result>(
  serve: (response: Response) => Result | Promise<Result>,
): Promise<Result> {
  const app = express();
  const served = new Promise<Result>((resolve, reject) => {
    app.get("/", (_request, response) => {
      once(response, "close")
        .then(() => serve(response))
        .then(resolve, reject);
      socket.destroy();
    });
  });
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = openSocket(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  socket.write("GET / HTTP/1.1\r\nHost: shop\r\n\r\n");
  try {
    return await served;
  } finally {
    server.close();
  }
}

test("a client that was gone before anybody asked is known to be gone", async () => {
  const { aborted } = await serveGone((response) => abandonmentOf(response.req, response));
  expect(aborted).toBe(true);
});

test("a long list for a client that is gone already ends at once", async () => {
  async function* parts() {
    yield await Promise.resolve(" ".repeat(200_000));
  }
  const end = await serveGone((response) => {
    const sent = sendParts(response, { mediaType: "application/json", parts: parts() }).then(
      () => "at once",
    );
    return Promise.race([sent, setImmediate("later")]);
  });
  expect(end).toBe("at once");
});
