import type { DemoCategory } from "./demo-category";

export const herbal: DemoCategory = {
  name: "Herbal Infusions",
  slug: "herbal-infusions",
  isActive: true,
  products: [
    {
      name: "Rooibos Natural",
      slug: "rooibos-natural",
      price: "5.90",
      isActive: true,
      description:
        "Red bush from the Cederberg mountains. Naturally sweet, free of caffeine and fine with milk.",
    },
    {
      name: "Rooibos Vanilla",
      slug: "rooibos-vanilla",
      price: "6.80",
      isActive: true,
      description: "Rooibos with real Bourbon vanilla. Tastes like dessert, contains no sugar.",
    },
    {
      name: "Chamomile Blossoms",
      slug: "chamomile-blossoms",
      price: "6.20",
      isActive: true,
      description: "Whole flowers rather than dust. Apple-like, mild and calming before bed.",
    },
    {
      name: "Peppermint",
      slug: "peppermint",
      price: "4.50",
      isActive: true,
      description: "Large-cut leaves with plenty of oil. Cool, clean and good after a heavy meal.",
    },
    {
      name: "Yerba Maté Green",
      slug: "yerba-mate-green",
      price: "7.90",
      isActive: true,
      description:
        "Leaves of a South American holly, dried without smoke. Grassy, bitter and wide awake.",
    },
    {
      name: "Lemon Verbena",
      slug: "lemon-verbena",
      price: "8.10",
      isActive: true,
      description: "Whole leaves from Provence. Bright citrus without any sourness.",
    },
    {
      name: "Ginger Lemon",
      slug: "ginger-lemon",
      price: "6.60",
      isActive: true,
      description: "Ginger root, lemongrass, lemon peel and liquorice. Warming on rainy days.",
    },
    {
      name: "Hibiscus Berry",
      slug: "hibiscus-berry",
      price: "5.80",
      isActive: true,
      description:
        "Hibiscus, rosehip, elderberry and apple. Tart, ruby red and excellent over ice.",
    },
  ],
};
