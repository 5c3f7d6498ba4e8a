import type { DemoCategory } from "./demo-category";

export const greenTea: DemoCategory = {
  name: "Green Tea",
  slug: "green-tea",
  isActive: true,
  products: [
    {
      name: "Dragon Well Longjing",
      slug: "dragon-well-longjing",
      price: "18.90",
      isActive: true,
      description:
        "Flat, pan-fired leaves from the hills around West Lake, picked before the spring rains. Toasted chestnut and sweet pea, with a finish that lingers.",
    },
    {
      name: "Sencha Asamushi",
      slug: "sencha-asamushi",
      price: "12.50",
      isActive: true,
      description:
        "Lightly steamed Sencha from Shizuoka. Clear, grassy and brisk; a tea for the first hour of the day.",
    },
    {
      name: "Gyokuro Yame",
      slug: "gyokuro-yame",
      price: "39.00",
      isActive: true,
      description:
        "Shaded for three weeks before the harvest, which turns bitterness into a deep, brothy sweetness. Brew it cool and in small sips.",
    },
    {
      name: "Gunpowder Temple of Heaven",
      slug: "gunpowder-temple-of-heaven",
      price: "6.90",
      isActive: true,
      description:
        "Tightly rolled pearls with a hint of smoke. Strong enough for Moroccan mint tea, good enough on its own.",
    },
    {
      name: "Bi Luo Chun",
      slug: "bi-luo-chun",
      price: "21.50",
      isActive: true,
      description:
        "Tiny spring buds grown between apricot and plum trees in Jiangsu. Floral, silky and a little fruity.",
    },
    {
      name: "Genmaicha",
      slug: "genmaicha",
      price: "8.40",
      isActive: true,
      description: "Sencha with roasted rice, some of it popped. Warm, nutty and low in caffeine.",
    },
    {
      name: "Hojicha",
      slug: "hojicha",
      price: "9.20",
      isActive: true,
      description:
        "Green tea roasted over charcoal until it turns brown. Caramel and cocoa, gentle enough for the evening.",
    },
    {
      name: "Jasmine Dragon Pearls",
      slug: "jasmine-dragon-pearls",
      price: "16.80",
      isActive: true,
      description:
        "Hand-rolled pearls, scented with fresh jasmine blossoms on six successive nights. Watch them unfurl in the cup.",
    },
    {
      name: "Huangshan Maofeng",
      slug: "huangshan-maofeng",
      price: "17.40",
      isActive: true,
      description:
        "Slender leaves with silver tips from the Yellow Mountains. Orchid, apricot and a clean mineral finish.",
    },
    {
      name: "Matcha Ceremonial Uji",
      slug: "matcha-ceremonial-uji",
      price: "34.50",
      isActive: true,
      description:
        "Stone-ground Tencha from Uji, vivid green and free of bitterness. For whisking as usucha or koicha.",
    },
    {
      name: "Matcha Culinary",
      slug: "matcha-culinary",
      price: "14.90",
      isActive: true,
      description:
        "A sturdy matcha whose flavour survives milk, batter and ice cream. Not for drinking straight.",
    },
  ],
};
