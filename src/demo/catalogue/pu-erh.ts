import type { DemoCategory } from "./demo-category";

export const puErh: DemoCategory = {
  name: "Pu-erh",
  slug: "pu-erh",
  isActive: true,
  products: [
    {
      name: "Menghai Ripe Pu-erh 2018",
      slug: "menghai-ripe-pu-erh-2018",
      price: "28.00",
      isActive: true,
      description:
        "A cake from the classic Menghai recipe. Earth, leather and dark chocolate; smooth from the first infusion.",
    },
    {
      name: "Raw Pu-erh Yiwu 2021",
      slug: "raw-pu-erh-yiwu-2021",
      price: "46.00",
      isActive: true,
      description:
        "Young leaves from old trees in Yiwu. Bright and floral today, and it will reward patience.",
    },
    {
      name: "Ancient Tree Sheng Bulang",
      slug: "ancient-tree-sheng-bulang",
      price: "89.00",
      isActive: true,
      description:
        "Leaves from trees some three hundred years old on Bulang mountain. Powerful, bitter at first, then endlessly sweet.",
    },
    {
      name: "Pu-erh Mini Tuocha",
      slug: "pu-erh-mini-tuocha",
      price: "11.50",
      isActive: true,
      description:
        "Ripe pu-erh in bird's nests of five grams, one for each pot. Rinse once, then brew at a full boil.",
    },
    {
      name: "Tangerine Pu-erh",
      slug: "tangerine-pu-erh",
      price: "17.90",
      isActive: true,
      description:
        "Ripe pu-erh aged inside a dried mandarin from Xinhui. Citrus peel over deep earth.",
    },
    {
      name: "Pu-erh Loose Leaf Gong Ting",
      slug: "pu-erh-loose-leaf-gong-ting",
      price: "15.20",
      isActive: true,
      description:
        "The smallest and finest grade of ripe leaves. Quick to brew, with cocoa and dates.",
    },
  ],
};
