import people from "./texts/people.json";

/** Addresses of the demonstration's customers, at domains that are reserved for examples (RFC 2606). */
export const demoCustomers: readonly string[] = people.customers;

export const firstNames: readonly string[] = people.firstNames;
export const lastNames: readonly string[] = people.lastNames;
