import { QueryClient } from "@tanstack/react-query";
import { lazy, type FunctionComponent } from "react";
import { Admin, CustomRoutes, localStorageStore, Resource } from "react-admin";
import { Route } from "react-router-dom";
import { dataProvider } from "./api/data-provider";
import { Layout } from "./layout/layout";
import { darkTheme, lightTheme } from "./layout/theme";
import { authProvider } from "./session/auth-provider";
import { SignIn } from "./session/sign-in";
import { i18nProvider } from "./texts";

/** A page, whose module is loaded when it is opened first. */
const page = (load: () => Promise<object>, name: string): FunctionComponent =>
  lazy(async () => ({ default: (await load())[name as never] as FunctionComponent })) as never;

function resource(name: string, load: () => Promise<object>, ...names: string[]) {
  const pages = Object.fromEntries(names.map((each) => [each, page(load, each)]));
  return <Resource {...{ key: name, name, ...pages }} />;
}

const audit = () => import("./audit-log/list");
const resources = [
  resource("orders", () => import("./orders/pages"), "list", "show"),
  resource("products", () => import("./products/pages"), "list", "create", "edit"),
  resource("categories", () => import("./categories/pages"), "list", "create", "edit"),
  resource("customers", () => import("./customers/pages"), "list", "show"),
  resource("newsletter", () => import("./newsletter/list"), "list"),
  resource("webhooks", () => import("./webhooks/pages"), "list", "create", "edit"),
  resource("events", async () => ({ list: (await audit()).events }), "list"),
  resource("audit-log", audit, "list"),
];
const Overview = page(() => import("./overview/page"), "Overview");
const ImportPage = page(() => import("./import/page"), "ImportPage");
const Account = page(() => import("./account/page"), "Account");
const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });

/** What a person has chosen stays in the browser when they sign out: views, theme. None of it is data of the shop. */
const store = { ...localStorageStore(undefined, "tea-shop"), reset: () => undefined };

export const App = () => (
  <Admin
    {...{ authProvider, dataProvider, i18nProvider, queryClient, store, lightTheme, darkTheme }}
    {...{ title: "title", layout: Layout, loginPage: SignIn, dashboard: Overview }}
    {...{ requireAuth: true, disableTelemetry: true }}
  >
    {resources}
    <CustomRoutes>
      <Route path="/import" element={<ImportPage />} />
      <Route path="/account" element={<Account />} />
    </CustomRoutes>
  </Admin>
);
