import people from "./texts/people.json";

/** Customers of the demonstration, at domains that are reserved for examples (RFC 2606). */
export const demoCustomers: readonly string[] = people.customers;

/** Names that generated customers are made of. */
export const firstNames: readonly string[] = people.firstNames;
export const lastNames: readonly string[] = people.lastNames;
