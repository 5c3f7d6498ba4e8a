import catalogue from "./texts/catalogue.json";

interface DemoCategory {
  readonly name: string;
  readonly slug: string;
  readonly isActive: boolean;
  readonly products: readonly DemoProduct[];
}

interface DemoProduct {
  readonly name: string;
  readonly slug: string;
  /** A decimal with 2 places. */
  readonly price: string;
  readonly isActive: boolean;
  readonly description: string;
}

/** The demonstration: 60 products in 8 categories. */
export const demoCatalogue: readonly DemoCategory[] = catalogue;
