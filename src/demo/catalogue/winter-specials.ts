import type { DemoCategory } from "./demo-category";

export const winterSpecials: DemoCategory = {
  name: "Winter Specials",
  slug: "winter-specials",
  isActive: false,
  products: [
    {
      name: "Advent Assortment",
      slug: "advent-assortment",
      price: "32.50",
      isActive: false,
      description: "Twenty-four teas in numbered sachets, one for each morning until Christmas.",
    },
    {
      name: "Spiced Orange Black Tea",
      slug: "spiced-orange-black-tea",
      price: "9.60",
      isActive: false,
      description: "Ceylon with orange peel, cinnamon and cloves. Back when the days grow short.",
    },
    {
      name: "Roasted Almond Rooibos",
      slug: "roasted-almond-rooibos",
      price: "8.70",
      isActive: false,
      description: "Rooibos with almonds and a little cinnamon. Tastes like a Christmas market.",
    },
  ],
};
