import { QueryClient } from "@tanstack/react-query";
import { lazy, type ComponentType } from "react";
import { Admin, localStorageStore, Resource } from "react-admin";
import { dataProvider } from "./api/data-provider";
import { Layout } from "./layout/layout";
import { SignIn } from "./session/sign-in";
import { authProvider } from "./session/auth-provider";
import { i18nProvider } from "./texts";
import { darkTheme, lightTheme } from "./layout/theme";

/** A page that is loaded when it is opened first. */
const page = (load: () => Promise<{ readonly default: ComponentType }>): ComponentType =>
  lazy(load);

const OrderList = page(() => import("./orders/list"));
const OrderPage = page(() => import("./orders/page"));

const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: true } },
});

/** What a person has chosen stays in the browser when they sign out: views, theme. None of it is data of the shop. */
const store = { ...localStorageStore(undefined, "tea-shop"), reset: () => undefined };

/** The administrators' app. */
export const App = () => (
  <Admin
    {...{ authProvider, dataProvider, i18nProvider, queryClient, store, lightTheme, darkTheme }}
    title="shop.title"
    layout={Layout}
    loginPage={SignIn}
    requireAuth
    disableTelemetry
  >
    <Resource name="orders" list={OrderList} show={OrderPage} />
  </Admin>
);
