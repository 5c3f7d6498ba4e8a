/** A category of the demonstration and what is in it. */
export interface DemoCategory {
  readonly name: string;
  readonly slug: string;
  readonly isActive: boolean;
  readonly products: readonly DemoProduct[];
}

/** A product of the demonstration. */
export interface DemoProduct {
  readonly name: string;
  readonly slug: string;
  /** A decimal with 2 places. */
  readonly price: string;
  readonly isActive: boolean;
  readonly description: string;
}
