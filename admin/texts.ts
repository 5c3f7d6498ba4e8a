import polyglot from "ra-i18n-polyglot";
import english from "ra-language-english";

/** All texts of the app, beside those that react-admin brings. A translation is another object of this shape. */
const shop = {
  title: "Tea shop",
  page: {
    overview: "Overview",
    import: "Import",
    account: "Account",
    not_found: "There is no such page",
  },
  menu: {
    name: "Pages",
    open: "Open the menu",
    account: "Account of %{email}",
    dark: "Dark",
    light: "Light",
    sign_out: "Sign out",
  },
  sign_in: {
    title: "Sign in",
    email: "E-mail",
    password: "Password",
    submit: "Sign in",
    needed: "Sign in first",
    again: "Your session has ended",
    again_text: "Give the password of %{email} to go on. Nothing that you have typed is lost.",
  },
  list: {
    select_page: "Select all on this page",
    select: "Select %{name}",
    selected: "1 selected |||| %{smart_count} selected",
    all_matching: "Select all %{count} that match",
    none: "Select none",
    nothing: "Nothing matches",
    found: "%{count} in all",
    columns: "Columns",
    reset: "Show all",
    failed: "The list can't be shown: %{reason}",
  },
  action: { go_back: "Go back", undo: "Undo", try_again: "Try again" },
  orders: {
    one: "Order %{id}",
    status: { PENDING: "Waiting for payment", PAID: "Paid", CANCELLED: "Cancelled" },
    mark_paid: "Mark paid",
    cancel: "Cancel order",
    paid: "Order %{id} is paid",
    cancelled: "Order %{id} is cancelled",
    cancel_title: "Cancel order %{id}?",
    cancel_text: "%{email} ordered for %{amount}. This can't be undone.",
    product: "Product",
    quantity: "Quantity",
    unit_price: "Price",
    line_total: "Sum",
    items: "What was ordered",
  },
  reasons: {
    REQUIRED: "This is needed.",
    INVALID: "%{_}",
    OUT_OF_RANGE: "%{_}",
    TOO_LONG: "At most %{max} characters.",
    SLUG_TAKEN: "The address “%{slug}” is taken. Choose another one.",
    CATEGORY_UNKNOWN: "There is no such category.",
    IN_USE: "%{_}",
    NOT_FOUND: "It is not there any more.",
    STATE: "%{_}",
    VERSION: "Somebody has changed it meanwhile.",
    CREDENTIALS: "E-mail or password is wrong.",
    ROLE: "You may not do that.",
    LIMIT: "Too many attempts. Try again in %{retryAfter} seconds.",
    UNAVAILABLE: "The service is busy. Try again in %{retryAfter} seconds.",
  },
  failures: {
    unreachable: "The service can't be reached. Try again in a moment.",
    NOT_FOUND: "It is not there any more.",
  },
};

const resources = {
  orders: {
    name: "Order |||| Orders",
    fields: {
      id: "Number",
      customerEmail: "Customer",
      totalAmount: "Sum",
      status: "State",
      createdAt: "Placed",
    },
  },
};

const messages = { ...english, shop, resources };

export const i18nProvider = polyglot(() => messages, "en", { allowMissing: true });

/** A sentence of the texts, for what is no component; a text that is none of them is returned as it is. */
export const sentence = (key: string, options: Record<string, unknown> = {}): string =>
  i18nProvider.translate(key, { _: key, ...options });
