import type { DemoCategory } from "./demo-category";
import { blackTea } from "./black-tea";
import { greenTea } from "./green-tea";
import { herbal } from "./herbal";
import { oolong } from "./oolong";
import { puErh } from "./pu-erh";
import { teaware } from "./teaware";
import { whiteTea } from "./white-tea";
import { winterSpecials } from "./winter-specials";

/** The shop of the demonstration: 60 products in 8 categories. */
export const demoCatalogue: readonly DemoCategory[] = [
  greenTea,
  blackTea,
  oolong,
  whiteTea,
  puErh,
  herbal,
  teaware,
  winterSpecials,
];
