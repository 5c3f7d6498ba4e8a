import type { DemoCategory } from "./demo-category";

export const oolong: DemoCategory = {
  name: "Oolong",
  slug: "oolong",
  isActive: true,
  products: [
    {
      name: "Tie Guan Yin Spring",
      slug: "tie-guan-yin-spring",
      price: "20.80",
      isActive: true,
      description:
        "Lightly oxidised Anxi oolong with a scent of lilac and fresh cream. Good for six infusions.",
    },
    {
      name: "Tie Guan Yin Roasted",
      slug: "tie-guan-yin-roasted",
      price: "23.50",
      isActive: true,
      description:
        "The traditional style, baked slowly over charcoal. Toasted grain, dried fruit and a long warm finish.",
    },
    {
      name: "Da Hong Pao",
      slug: "da-hong-pao",
      price: "42.00",
      isActive: true,
      description:
        "Big Red Robe from the cliffs of Wuyi. Mineral, dark and complex, with stone fruit beneath the roast.",
    },
    {
      name: "Dong Ding",
      slug: "dong-ding",
      price: "19.90",
      isActive: true,
      description:
        "Medium-roasted oolong from Nantou in Taiwan. Butter, roasted nuts and a caramel sweetness.",
    },
    {
      name: "Alishan High Mountain",
      slug: "alishan-high-mountain",
      price: "32.00",
      isActive: true,
      description: "Grown above 1,400 metres in cool fog. Creamy, floral and very smooth.",
    },
    {
      name: "Oriental Beauty",
      slug: "oriental-beauty",
      price: "45.50",
      isActive: true,
      description:
        "Leafhoppers bite the leaves, and the plant answers with honey. Heavily oxidised, with ripe peach and muscat.",
    },
    {
      name: "Phoenix Dan Cong Mi Lan Xiang",
      slug: "phoenix-dan-cong-mi-lan-xiang",
      price: "37.80",
      isActive: true,
      description:
        "From old single bushes in Guangdong. Honey, orchid and lychee; brew it short and often.",
    },
    {
      name: "Milk Oolong Jin Xuan",
      slug: "milk-oolong-jin-xuan",
      price: "15.70",
      isActive: false,
      description: "A cultivar that tastes of milk by nature. No flavouring added.",
    },
    {
      name: "Baozhong Wenshan",
      slug: "baozhong-wenshan",
      price: "18.30",
      isActive: true,
      description:
        "The greenest of oolongs, twisted rather than rolled. Lily of the valley and melon.",
    },
  ],
};
