import type { DemoCategory } from "./demo-category";

export const whiteTea: DemoCategory = {
  name: "White Tea",
  slug: "white-tea",
  isActive: true,
  products: [
    {
      name: "Silver Needle Bai Hao Yin Zhen",
      slug: "silver-needle-bai-hao-yin-zhen",
      price: "36.00",
      isActive: true,
      description:
        "Unopened buds under a coat of silver down, picked on a few days in March. Melon, cucumber and honeysuckle.",
    },
    {
      name: "White Peony Bai Mu Dan",
      slug: "white-peony-bai-mu-dan",
      price: "16.40",
      isActive: true,
      description:
        "One bud and two leaves, withered in the shade. Fuller than Silver Needle, with hay and wild flowers.",
    },
    {
      name: "Shou Mei Aged 2016",
      slug: "shou-mei-aged-2016",
      price: "27.50",
      isActive: true,
      description:
        "Pressed into a cake and left to mature. Dates, dried apricot and a gentle medicinal note.",
    },
    {
      name: "Moonlight White",
      slug: "moonlight-white",
      price: "19.20",
      isActive: true,
      description:
        "Buds and leaves from Yunnan, dried by night as the story goes. Honeyed and soft.",
    },
    {
      name: "Darjeeling White Moonshine",
      slug: "darjeeling-white-moonshine",
      price: "29.80",
      isActive: true,
      description:
        "A rare white tea from Himalayan bushes. Delicate rose and a cool, clean finish.",
    },
    {
      name: "Jasmine Silver Needle",
      slug: "jasmine-silver-needle",
      price: "41.50",
      isActive: false,
      description: "White buds scented with jasmine. Light in the cup, generous in the air.",
    },
  ],
};
