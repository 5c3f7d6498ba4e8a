import polyglot from "ra-i18n-polyglot";
import english from "ra-language-english";
import { accountTexts } from "./account/texts";

const field = {
  ...{ id: "Number", name: "Name", slug: "Address in the shop", description: "Description" },
  ...{ price: "Price", categoryId: "Category", isActive: "On sale", active: "Active" },
  ...{ status: "State", customerEmail: "Customer", product: "Product", quantity: "Quantity" },
  ...{ totalAmount: "Sum", createdAt: "Created", updatedAt: "Changed", url: "URL" },
  ...{ types: "Events", includeLookup: "With the lookup of placed orders" },
};

/** The names of a kind of things and of their fields. */
const resource = (name: string, fields: object = {}) => ({ name, fields: { ...field, ...fields } });

/** All texts of the app, beside those that react-admin brings. A translation is another object of this shape. */
const texts = {
  ...accountTexts,
  field,
  resources: {
    orders: resource("Order |||| Orders", { createdAt: "Placed" }),
    products: resource("Product |||| Products"),
    categories: resource("Category |||| Categories", { isActive: "Shown in the shop" }),
    customers: resource("Customer |||| Customers", {
      ...{ email: "Address", orders: "Orders", amount: "Sum", firstOrderAt: "First order" },
      lastOrderAt: "Last order",
    }),
    newsletter: resource("Subscriber |||| Newsletter", {
      ...{ email: "Address", isActive: "State", createdAt: "Since", consentedAt: "Confirmed" },
    }),
    webhooks: resource("Endpoint |||| Webhooks", { state: "State" }),
    pages: resource("Page |||| Pages"),
    events: resource("Event |||| Events", { type: "Event", at: "When", thing: "What" }),
    administrators: resource("Administrator |||| Administrators"),
    "audit-log": resource("Change |||| Audit log", {
      ...{ at: "When", actor: "Who", operation: "Operation", thing: "What", changes: "Changes" },
      ...{ subject: "Kind of thing", number: "Number" },
    }),
  },
  title: "Tea shop",
  page: { overview: "Overview", import: "Import", account: "Account" },
  menu: {
    ...{ open: "Open the menu", search: "Search everything", account: "Account of %{email}" },
    ...{ dark: "Dark", light: "Light", sign_out: "Sign out" },
  },
  list: {
    ...{ select_page: "Select all on this page", select: "Select %{name}" },
    selected: "1 selected |||| %{smart_count} selected",
    ...{ all_matching: "Select all %{count} that match", none: "Select none" },
    ...{ nothing: "Nothing matches", found: "%{count} in all", views: "Views" },
    ...{ view_name: "Name of this view", save_view: "Save view" },
    ...{ forget_view: "Forget the view %{name}", failed: "The list can't be shown: %{reason}" },
    no_date: "This is not a date.",
    half_date: "This is not a whole date; the list does not follow it.",
    ...{ no_number: "This is not a number.", no_price: "This is not a price, such as 12.50." },
    ...{ three_letters: "At least three characters.", left: "1 to go |||| %{smart_count} to go" },
    refused: "One was refused: |||| %{smart_count} were refused:",
  },
  period: {
    ...{ today: "Today", yesterday: "Yesterday", last_7_days: "Last 7 days" },
    ...{ last_30_days: "Last 30 days", this_month: "This month", last_month: "Last month" },
    ...{ days: "From–to", from: "From", to: "To" },
  },
  action: {
    ...{ go_back: "Go back", undo: "Undo", try_again: "Try again", saved: "Saved" },
    ...{ created: "%{name} is there", deleted: "%{name} is deleted" },
    ...{ delete_title: "Delete %{name}?", final: "This can't be undone." },
  },
  conflict: {
    ...{ title: "Somebody has changed it meanwhile", field: "Field", seen: "You saw" },
    ...{ now: "Is now", wanted: "You want", save: "Save what you want" },
  },
  history: {
    ...{ title: "Who changed what", nobody: "Unknown", undo: "Undo this change", undone: "Undone" },
    ...{ more: "All changes", REST: "by a program", GRAPHQL: "here", COMMAND_LINE: "by a command" },
    DATABASE: "in the database",
  },
  event: {
    ...{ order_placed: "Order placed", order_status_changed: "Order paid or cancelled" },
    ...{ order_updated: "Order changed otherwise", order_deleted: "Order deleted" },
    ...{ product_created: "Product created", product_updated: "Product changed" },
    ...{ product_deleted: "Product deleted", category_created: "Category created" },
    ...{ category_updated: "Category changed", category_deleted: "Category deleted" },
    subscription_requested: "Subscription requested",
    subscription_confirmed: "Subscription confirmed",
    subscription_updated: "Subscription changed otherwise",
    ...{ subscription_ended: "Subscription ended", customer_erased: "Customer erased" },
    test_ping: "Test event",
  },
  export: {
    ...{ of_orders: "Export these orders", of_products: "Export these products" },
    ...{ of_subscribers: "Export the subscribers", for: "For whom", people: "A spreadsheet" },
    ...{ csv: "Programs (CSV)", jsonl: "Programs (JSON)", rows: "Lines" },
    ...{ orders: "One line per order", items: "One line per item", save: "Save file" },
    ...{ so_far: "%{size} MB so far", done: "The file is complete" },
    broke_off: "There is no file: it broke off on the way.",
  },
  overview: {
    ...{ failing: "Webhooks that fail", none_failing: "None.", newest: "Newest orders" },
    ...{ sales: "Sales of the last 30 days", best: "Best sellers of the last 30 days", day: "Day" },
    former: "30 days before",
  },
  orders: {
    ...{ one: "Order %{id}", count: "1 order |||| %{count} orders" },
    newer: "One new order |||| %{smart_count} new orders",
    status: { PENDING: "Waiting for payment", PAID: "Paid", CANCELLED: "Cancelled" },
    ...{ customer: "Part of the customer's address", about: "%{amount} in all, from %{names}." },
    PAID: "Mark paid",
    PAID_title: "Mark one order paid? |||| Mark %{smart_count} orders paid?",
    PAID_done: "One order is paid |||| %{smart_count} orders are paid",
    CANCELLED: "Cancel order",
    CANCELLED_title: "Cancel one order? |||| Cancel %{smart_count} orders?",
    CANCELLED_done: "One order is cancelled |||| %{smart_count} orders are cancelled",
    ...{ now_PAID: "Order %{id} is paid", now_CANCELLED: "Order %{id} is cancelled" },
    ...{ cancel_title: "Cancel order %{id}?", items: "What was ordered" },
    events: "What other programs were sent",
  },
  products: {
    ...{ count: "1 product |||| %{count} products", new: "New product", on: "On sale" },
    ...{ off: "Not on sale", least: "Price from", most: "Price to", put_on: "Put on sale" },
    put_on_title: "Put one product on sale? |||| Put %{smart_count} products on sale?",
    put_on_done: "One product is on sale |||| %{smart_count} products are on sale",
    take_off: "Take off sale",
    take_off_title: "Take one product off sale? |||| Take %{smart_count} products off sale?",
    take_off_done: "One product is not on sale |||| %{smart_count} products are not on sale",
    ...{ in_shop: "As the shop sees it", not_in_shop: "It is not on sale." },
    lowest_before: "Lowest price of the 30 days before: %{price}",
    ...{
      ...{ orders: "Orders that have it", prices: "Prices", until: "Until", now: "now" },
      note: "Note",
    },
    ...{ withdraw: "It was a mistake", withdraw_title: "Was %{price} a mistake?" },
    withdraw_text:
      "The price stays here, but does not count as the lowest one before. That is possible if it held for an hour at most and nobody bought at it.",
    ...{ withdrawn: "A mistake", withdrawn_now: "The price counts no longer" },
  },
  categories: { new: "New category" },
  customers: {
    ...{ search: "Part of an address", subscribed: "Subscribed to the newsletter since %{since}" },
    ended: "The subscription to the newsletter, of %{since}, has ended",
    never_subscribed: "Never subscribed to the newsletter",
    ...{ all_orders: "All %{count} orders", erase: "Erase customer" },
    erase_title: "Erase %{email}?",
    erase_text:
      "In %{orders} orders (%{amount}) and %{events} events, and wherever else the address is, a tombstone takes its place. Amounts and states stay.",
    erased: "Erased: %{tombstone} replaces the address",
  },
  newsletter: {
    ...{ active: "Subscribed", ended: "Ended", unsubscribe: "Unsubscribe" },
    unsubscribe_title: "Unsubscribe this address? |||| Unsubscribe %{smart_count} addresses?",
    unsubscribe_done: "1 address is unsubscribed |||| %{smart_count} addresses are unsubscribed",
  },
  webhooks: {
    ...{ new: "New endpoint", all_types: "All" },
    ...{ none_is_all: "Where none is chosen, all are sent.", on: "On", off: "Off" },
    ...{ off_because: "Off: %{reason}", failing: "Failing since %{since}", turn_on: "Switch on" },
    ...{ turn_off: "Switch off", secret: "Secret" },
    secret_text: "The receiver checks signatures with it. It is shown only now.",
    ...{ new_secret: "New secret", new_secret_title: "Give %{url} a new secret?" },
    new_secret_text: "The present one goes on to sign beside it for 24 hours.",
    ...{ delete_text: "Its deliveries are deleted, too.", test: "Send a test event" },
    testing: "Sent. Waiting for the answer …",
    test_waits: "The endpoint is off, so the event waits.",
    ...{ answered: "The receiver answered %{status}", no_answer: "No answer came" },
    ...{ deliveries: "Deliveries", delivery_state: "State of deliveries" },
    state: { WAITING: "Waiting", DELIVERED: "Delivered", GIVEN_UP: "Given up" },
    ...{ event: "Event", tries: "Tries", action: "Action", next: "Next try %{at}" },
    ...{ send_again: "Send again", waits_again: "It is sent again" },
    ...{ send_again_named: "Send again: %{name}", send_all_again: "Send events again" },
    send_all_title: "Send events to %{url} again?",
    send_all_text: "All events of these days are sent again, outside their order.",
    sent_again: "1 event is sent again |||| %{smart_count} events are sent again",
  },
  import: {
    choose: "Choose a file of the catalogue, or drop one on this page:",
    formats: "CSV or JSON lines, up to 50 MB. First you see what would change.",
    reading: "Comparing %{name} with the catalogue …",
    so_far: "%{done} of %{total} stored. Leaving the page ends the import, and nothing is stored.",
    ...{ done: "All of the file is stored", store: "Import" },
    broke_off: "The connection broke off. See in the catalogue whether it was imported.",
    bad_lines:
      "1 line is wrong; nothing is stored: |||| %{smart_count} lines are wrong; nothing is stored:",
    bad_line: "Line %{line}: %{reason}",
    counts: "%{name}: %{created} new, %{changed} changed, %{unchanged} as they are",
    ...{ more: "… and %{count} more", changes: "What changes", what: "What", then: "In the file" },
    new: "is new",
  },
  reasons: {
    ...{ REQUIRED: "This is needed.", TOO_LONG: "At most %{max} characters." },
    SLUG_TAKEN: "The address “%{slug}” is taken. Choose another one.",
    ...{ CATEGORY_UNKNOWN: "There is no such category.", NOT_FOUND: "It is not there any more." },
    VERSION: "Somebody has changed it meanwhile.",
    ...{ CREDENTIALS: "Invalid credentials.", ROLE: "You may not do that." },
    CONFIRM_IDENTITY: "Show again who you are first.",
    SECOND_FACTOR: "Set up a second factor first.",
    LIMIT: "Too many attempts. Try again in %{retryAfter} seconds.",
    UNAVAILABLE: "The service is busy. Try again in %{retryAfter} seconds.",
    UNREACHABLE: "The service can't be reached. Try again in a moment.",
  },
};

export const i18nProvider = polyglot(() => ({ ...english, ...texts }), "en", {
  allowMissing: true,
});

/** The text of a key, with `%{name}`s from the values; a key that there is none of is returned as it is. */
export const t = (key: string, values: Record<string, unknown> = {}): string =>
  i18nProvider.translate(key, { _: key, ...values });

export const kindName = (resource: string, smart_count = 2): string =>
  t(`resources.${resource}.name`, { smart_count });

export const fieldName = (resource: string, field: string): string =>
  t(`resources.${resource}.fields.${field}`);

/** The types of events that an endpoint can choose. */
export const EVENT_TYPES = Object.keys(texts.event)
  .map((key) => key.replace("_", "."))
  .filter((type) => type !== "test.ping");

/** The words for a type of event, such as `order.placed`. */
export const eventName = (type: string): string =>
  t(`event.${type.replace(".", "_")}`, { _: type });
