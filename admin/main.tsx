import createCache from "@emotion/cache";
import { CacheProvider } from "@emotion/react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter, RouterProvider } from "react-router-dom";
import { App } from "./app";
import { keepSession } from "./session/keeper";
import { session } from "./session/session";

// The policy of the page takes styles with its nonce alone.
const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
const styles = createCache({ key: "css", prepend: true, ...(nonce && { nonce }) });
// An address with its page behind a # means the same.
if (location.hash.startsWith("#/"))
  history.replaceState(null, "", `/admin${location.hash.slice(1)}`);
const router = createBrowserRouter([{ path: "*", element: <App /> }], { basename: "/admin" });
const root = createRoot(document.getElementById("root") as HTMLElement);

keepSession();
// A session of another tab is shared before the page asks who is there.
if (!session.login) await session.ask();
root.render(
  <CacheProvider value={styles}>
    <RouterProvider router={router} />
  </CacheProvider>,
);
