import createCache from "@emotion/cache";
import { CacheProvider } from "@emotion/react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter, RouterProvider } from "react-router-dom";
import { App } from "./app";
import { Invitation } from "./session/invitation";
import { keepSession } from "./session/keeper";
import { session } from "./session/session";

// A browser without a locale calls its language "en-US@posix", at which uPlot would throw.
const { locale } = Intl.DateTimeFormat().resolvedOptions();
Object.defineProperty(navigator, "language", { value: locale });
// The policy of the page takes styles with its nonce alone.
const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
const styles = createCache({ key: "css", prepend: true, ...(nonce && { nonce }) });
// An address with its page behind a # means the same.
if (location.hash.startsWith("#/"))
  history.replaceState(null, "", `/admin${location.hash.slice(1)}`);
// The token stays in no address.
const invitation = /^#invitation=([\w-]+)$/.exec(location.hash)?.[1];
if (invitation !== undefined) history.replaceState(null, "", location.pathname);
const router = createBrowserRouter([{ path: "*", element: <App /> }], { basename: "/admin" });
const root = createRoot(document.getElementById("root") as HTMLElement);

keepSession();
// A session of another tab is shared before the page asks who is there.
if (!session.login) await session.ask();
root.render(
  <CacheProvider value={styles}>
    {invitation === undefined ? (
      <RouterProvider router={router} />
    ) : (
      <Invitation token={invitation} />
    )}
  </CacheProvider>,
);
