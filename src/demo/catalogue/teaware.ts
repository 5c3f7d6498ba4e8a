import type { DemoCategory } from "./demo-category";

export const teaware: DemoCategory = {
  name: "Teaware",
  slug: "teaware",
  isActive: true,
  products: [
    {
      name: "Porcelain Gaiwan",
      slug: "porcelain-gaiwan",
      price: "24.50",
      isActive: true,
      description:
        "A lidded bowl of 110 ml in thin white porcelain. The simplest way to brew a good oolong many times.",
    },
    {
      name: "Yixing Clay Teapot",
      slug: "yixing-clay-teapot",
      price: "79.00",
      isActive: true,
      description:
        "Unglazed purple clay, thrown by hand, 180 ml. It takes on the character of the tea, so give it to one kind only.",
    },
    {
      name: "Cast Iron Tetsubin",
      slug: "cast-iron-tetsubin",
      price: "68.00",
      isActive: true,
      description:
        "An enamelled iron pot of 0.8 litres with a steel strainer. Keeps tea hot for an hour.",
    },
    {
      name: "Bamboo Matcha Whisk",
      slug: "bamboo-matcha-whisk",
      price: "17.50",
      isActive: true,
      description:
        "A chasen with eighty prongs, carved from a single piece of bamboo. Soak it before use and let it dry standing.",
    },
    {
      name: "Glass Teapot with Infuser",
      slug: "glass-teapot-with-infuser",
      price: "29.90",
      isActive: true,
      description:
        "Heat-resistant glass, 1 litre, with a removable infuser. Made for flowering teas and for watching.",
    },
    {
      name: "Kyusu Tokoname",
      slug: "kyusu-tokoname",
      price: "54.00",
      isActive: false,
      description:
        "A side-handled pot from Tokoname with a fine ceramic filter. The natural partner of Sencha.",
    },
  ],
};
