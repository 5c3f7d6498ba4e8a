/** Words that generated products are made of: enough of them that a search finds few of many. */
export const productWords = {
  moods: (
    "Amber,Autumn,Bright,Celestial,Cloud,Copper,Crimson,Dawn,Emerald,Evening,Golden,Hidden,Imperial," +
    "Ivory,Jade,Lantern,Misty,Moonlit,Morning,Quiet,Royal,Silver,Smoky,Spring,Velvet,Wild"
  ).split(","),
  origins: (
    "Alishan,Anxi,Assam,Bulang,Ceylon,Darjeeling,Fujian,Hangzhou,Huangshan,Ilam,Kagoshima,Kenya,Lincang," +
    "Menghai,Nantou,Nilgiri,Shizuoka,Sikkim,Taiping,Uji,Uva,Wuyi,Yame,Yiwu,Yunnan"
  ).split(","),
  kinds: (
    "Assam Blend,Baozhong,Bi Luo Chun,Breakfast Tea,Chai,Dong Ding,Earl Grey,Genmaicha,Gunpowder,Gyokuro," +
    "Hojicha,Jasmine Green,Keemun,Lapsang Souchong,Longjing,Maofeng,Matcha,Oolong,Pu-erh,Rooibos,Sencha," +
    "Shou Mei,Silver Needle,Tie Guan Yin,White Peony"
  ).split(","),
  forms: (
    "50 g,100 g,250 g,Caddy,Cake,First Flush,Grand Reserve,Hand Rolled,Limited,Loose Leaf,Organic," +
    "Sachets,Sampler,Second Flush"
  ).split(","),
  notes: (
    "almond,apricot,bergamot,blackcurrant,butter,caramel,cedar,chestnut,cinnamon,cocoa,dates,fresh hay," +
    "ginger,honey,jasmine,lilac,lychee,malt,melon,muscat,orchid,peach,pine,plum,rose,sea breeze,sweet pea," +
    "toasted rice,vanilla,wild flowers"
  ).split(","),
  closings: [
    "Good for several infusions.",
    "Brew it cool and in small sips.",
    "Takes milk well and needs no sugar.",
    "Picked by hand and sorted twice.",
    "Gentle enough for the evening.",
    "From a cooperative of small gardens.",
    "Excellent over ice on a hot day.",
    "Rinse the leaves once, then brew at a full boil.",
    "A favourite of the house for years.",
  ],
} as const satisfies Record<string, readonly string[]>;
