import type { DemoCategory } from "./demo-category";

export const blackTea: DemoCategory = {
  name: "Black Tea",
  slug: "black-tea",
  isActive: true,
  products: [
    {
      name: "Darjeeling First Flush",
      slug: "darjeeling-first-flush",
      price: "24.00",
      isActive: true,
      description:
        "The first picking of the year from the slopes above Kurseong. Light in the cup, with muscatel grape and spring flowers.",
    },
    {
      name: "Darjeeling Second Flush",
      slug: "darjeeling-second-flush",
      price: "19.50",
      isActive: true,
      description:
        "Summer leaves with the full muscatel character. Rounder and darker than the spring harvest.",
    },
    {
      name: "Assam Second Flush TGFOP",
      slug: "assam-second-flush-tgfop",
      price: "11.80",
      isActive: true,
      description:
        "Malty and full-bodied with plenty of golden tips. Takes milk well, needs no sugar.",
    },
    {
      name: "Ceylon Nuwara Eliya",
      slug: "ceylon-nuwara-eliya",
      price: "10.90",
      isActive: true,
      description: "High-grown tea from Sri Lanka's coolest region. Bright, citrusy and delicate.",
    },
    {
      name: "Earl Grey Supérieur",
      slug: "earl-grey-superieur",
      price: "9.80",
      isActive: true,
      description:
        "Keemun and Ceylon with cold-pressed bergamot oil from Calabria. No blossoms, no artificial flavour.",
    },
    {
      name: "English Breakfast",
      slug: "english-breakfast",
      price: "7.50",
      isActive: true,
      description:
        "Assam, Ceylon and Kenya in equal parts. Brisk, dependable and ready in three minutes.",
    },
    {
      name: "Lapsang Souchong",
      slug: "lapsang-souchong",
      price: "13.60",
      isActive: true,
      description:
        "Leaves from Wuyi, dried over smouldering pine. Smoky on the nose, surprisingly sweet on the tongue.",
    },
    {
      name: "Keemun Hao Ya",
      slug: "keemun-hao-ya",
      price: "22.40",
      isActive: true,
      description: "A classic from Anhui with notes of cocoa, rose and a trace of wood smoke.",
    },
    {
      name: "Yunnan Golden Buds",
      slug: "yunnan-golden-buds",
      price: "26.90",
      isActive: true,
      description:
        "Nothing but golden buds. Honey, sweet potato and malt, with no bitterness at all.",
    },
    {
      name: "Nepal Ilam Hand Rolled",
      slug: "nepal-ilam-hand-rolled",
      price: "17.20",
      isActive: true,
      description:
        "From a farmers' cooperative on the far side of Darjeeling's hills. Peach, honey and fresh hay.",
    },
    {
      name: "Masala Chai",
      slug: "masala-chai",
      price: "8.90",
      isActive: true,
      description:
        "Assam with cardamom, ginger, cinnamon, cloves and black pepper. Simmer it in milk for five minutes.",
    },
  ],
};
