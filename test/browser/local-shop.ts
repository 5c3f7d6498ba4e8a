import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { Page } from "playwright-core";
import { startApp, type Overrides, type TestApp } from "../support/app";

/** A shop at an address of `localhost` that it knows, as passkeys need it; for the tests of a file. */
export function useLocalShop(overrides: Overrides = {}): TestApp {
  const app = {} as TestApp;
  let door: Server;
  beforeAll(async () => {
    let port = 0;
    const quiet = (socket: Socket): Socket => socket.on("error", () => undefined);
    door = createServer((client) => {
      const service = quiet(connect(port, "127.0.0.1"));
      quiet(client).pipe(service).pipe(client);
    }).listen(0, "127.0.0.1");
    await once(door, "listening");
    const publicOrigin = `http://localhost:${(door.address() as AddressInfo).port}`;
    const started = await startApp({ ...overrides, publicOrigin });
    port = Number(new URL(started.url).port);
    Object.assign(app, started, { url: publicOrigin });
  });
  afterAll(async () => {
    door.close();
    await app.close();
  });
  return app;
}

/** Gives a page an authenticator that knows its user by a finger, and is touched whenever it asks. */
export async function addAuthenticator(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send("WebAuthn.enable");
  await browser.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  });
}
