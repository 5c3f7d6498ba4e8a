import { QueryClient } from "@tanstack/react-query";
import { lazy, type ComponentType, type FunctionComponent } from "react";
import { Admin, CustomRoutes, localStorageStore, Resource } from "react-admin";
import { Route } from "react-router-dom";
import { dataProvider } from "./api/data-provider";
import { Layout } from "./layout/layout";
import { SignIn } from "./session/sign-in";
import { authProvider } from "./session/auth-provider";
import { i18nProvider } from "./texts";
import { darkTheme, lightTheme } from "./layout/theme";

/** A page that is loaded when it is opened first. */
const page = (
  load: () => Promise<{ readonly default: ComponentType<object> }>,
): FunctionComponent<object> => lazy(load) as never;

const Overview = page(() => import("./overview/page"));
const OrderList = page(() => import("./orders/list"));
const OrderPage = page(() => import("./orders/page"));
const ProductList = page(() => import("./products/list"));
const ProductCreate = page(() => import("./products/create"));
const ProductEdit = page(() => import("./products/edit"));
const CategoryList = page(() => import("./categories/list"));
const CategoryCreate = page(async () => ({
  default: (await import("./categories/pages")).CategoryCreate,
}));
const CategoryEdit = page(async () => ({
  default: (await import("./categories/pages")).CategoryEdit,
}));
const CustomerList = page(() => import("./customers/list"));
const CustomerPage = page(() => import("./customers/page"));
const SubscriberList = page(() => import("./newsletter/list"));
const EndpointList = page(() => import("./webhooks/list"));
const EndpointCreate = page(() => import("./webhooks/create"));
const EndpointPage = page(() => import("./webhooks/page"));
const AuditList = page(() => import("./audit-log/list"));
const Import = page(() => import("./import/page"));
const Account = page(() => import("./session/account"));

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
    dashboard={Overview}
    requireAuth
    disableTelemetry
  >
    <Resource name="orders" list={OrderList} show={OrderPage} />
    <Resource name="products" list={ProductList} create={ProductCreate} edit={ProductEdit} />
    <Resource name="categories" list={CategoryList} create={CategoryCreate} edit={CategoryEdit} />
    <Resource name="customers" list={CustomerList} show={CustomerPage} />
    <Resource name="newsletter" list={SubscriberList} />
    <Resource name="webhooks" list={EndpointList} create={EndpointCreate} edit={EndpointPage} />
    <Resource name="audit-log" list={AuditList} />
    <CustomRoutes>
      <Route path="/import" element={<Import />} />
      <Route path="/account" element={<Account />} />
    </CustomRoutes>
  </Admin>
);
