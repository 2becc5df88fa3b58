/**
 * What a drawn face is made of. Roles carry it as JSON; the browser draws it. Portrait codes count places in these lists:
 * append, never insert or reorder.
 */
export const choices = {
  skin: ["porcelain", "ivory", "peach", "sand", "wheat", "bronze"],
  face: ["oval", "round", "long", "square", "child"],
  hair: [
    "side-part",
    "crop",
    "buzz",
    "swept",
    "curtain",
    "bald",
    "bowl",
    "topknot",
    "bob",
    "pixie",
    "long",
    "wavy",
    "ponytail",
    "bun",
    "low-bun",
    "twin-buns",
    "curls",
  ],
  hairColor: ["ink", "brown", "chestnut", "grey", "silver"],
  brows: ["soft", "flat", "arched", "bold"],
  eyes: ["almond", "round", "smiling", "narrow"],
  beard: ["none", "stubble", "goatee", "full", "long"],
  coat: ["slate", "seal", "celadon", "ochre", "indigo", "plum", "paper", "charcoal", "sky"],
  collar: ["crew", "v", "turtleneck", "shirt", "suit", "mandarin", "crossed", "hood"],
  background: ["paper", "mist", "celadon", "dawn", "ochre", "dusk"],
} as const;

export const accessories = [
  "glasses-round",
  "glasses-square",
  "headphones",
  "headset",
  "earrings",
  "scarf",
  "apron",
  "hairpin",
  "bow",
  "cap",
  "chef-hat",
  "whistle",
] as const;

type Choices = { [Key in keyof typeof choices]: (typeof choices)[Key][number] };

export type Accessory = (typeof accessories)[number];

export interface PortraitParameters extends Choices {
  accessories: Accessory[];
  /** Age: 0 none, 1 a trace at eyes and mouth, 2 an old face. */
  lines: 0 | 1 | 2;
}

/** Reads a face out of whatever a role carries; null when there is none, and a placeholder is drawn instead. */
export function parsePortrait(value: unknown): PortraitParameters | null {
  const json = typeof value === "string" ? (parseCode(value) ?? fromJson(value)) : value;
  if (typeof json !== "object" || json === null || Array.isArray(json)) return null;
  const given = new Map<string, unknown>(Object.entries(json));
  if (!isOneOf(choices.hair, given.get("hair"))) return null;
  const pick = <Key extends keyof Choices>(key: Key) => {
    const wanted = given.get(key);
    return (isOneOf(choices[key], wanted) ? wanted : choices[key][0]) as Choices[Key];
  };
  const worn = given.get("accessories");
  const lines = given.get("lines");
  return {
    skin: pick("skin"),
    face: pick("face"),
    hair: pick("hair"),
    hairColor: pick("hairColor"),
    brows: pick("brows"),
    eyes: pick("eyes"),
    beard: pick("beard"),
    coat: pick("coat"),
    collar: pick("collar"),
    background: pick("background"),
    accessories: Array.isArray(worn) ? accessories.filter((name) => worn.includes(name)) : [],
    lines: lines === 1 || lines === 2 ? lines : 0,
  };
}

const choiceKeys = Object.keys(choices) as Array<keyof Choices>;
const radix = 36;

/**
 * The same face in a dozen characters, as pages carry it: JSON in the address of both colour modes was 15 % of the home
 * page. Null when there is no face. One digit per choice, one for the age, then the accessories as bits.
 */
export function toPortraitCode(value: unknown): string | null {
  const portrait = parsePortrait(value);
  if (!portrait) return null;
  const places = choiceKeys.map((key) => (choices[key] as readonly string[]).indexOf(portrait[key]));
  const bits = portrait.accessories.reduce((sum, name) => sum + 2 ** accessories.indexOf(name), 0);
  return [...places, portrait.lines, bits].map((place) => place.toString(radix)).join("");
}

/** The parameters of a code, unchecked; null for other text. */
function parseCode(text: string): Record<string, unknown> | null {
  if (!/^[0-9a-z]{12,16}$/.test(text)) return null;
  const placeAt = (index: number) => Number.parseInt(text[index] ?? "0", radix);
  const bits = Number.parseInt(text.slice(choiceKeys.length + 1), radix);
  return {
    ...Object.fromEntries(choiceKeys.map((key, index) => [key, choices[key][placeAt(index)]])),
    lines: placeAt(choiceKeys.length),
    accessories: accessories.filter((_name, index) => Math.floor(bits / 2 ** index) % 2 === 1),
  };
}

function isOneOf<Name extends string>(names: readonly Name[], value: unknown): value is Name {
  return names.some((name) => name === value);
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type Gender = "female" | "male" | "unknown";

type Hair = PortraitParameters["hair"];

const hairs: Record<Gender, readonly Hair[]> = {
  female: ["bob", "pixie", "long", "wavy", "ponytail", "bun", "low-bun", "twin-buns", "curls"],
  male: ["side-part", "crop", "buzz", "swept", "curtain", "topknot", "curls"],
  unknown: ["bob", "pixie", "long", "ponytail", "curls", "side-part", "crop", "swept", "curtain"],
};

const darkHair = ["ink", "ink", "ink", "brown", "chestnut"] as const;

const beards = ["none", "none", "none", "stubble", "goatee", "full"] as const;

const worn = {
  female: [[], [], ["earrings"], ["glasses-round"], ["hairpin"], ["scarf"]],
  male: [[], [], [], ["glasses-square"], ["glasses-round"], ["headphones"]],
  unknown: [[], [], ["glasses-round"], ["headphones"]],
} as const satisfies Record<Gender, readonly PortraitParameters["accessories"][]>;

/** Draws random parameters that fit together. `random` returns 0 to below 1. */
export function randomPortrait(gender: Gender, random: () => number = Math.random): PortraitParameters {
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const isOld = random() < 0.12;
  return {
    skin: pick(choices.skin),
    face: pick(["oval", "round", "long", "square"] as const),
    hair: pick(hairs[gender]),
    hairColor: isOld ? pick(["grey", "silver"] as const) : pick(darkHair),
    brows: pick(choices.brows),
    eyes: pick(choices.eyes),
    beard: gender === "male" ? pick(beards) : "none",
    coat: pick(choices.coat),
    collar: pick(choices.collar),
    background: pick(choices.background),
    accessories: [...pick<PortraitParameters["accessories"] | readonly []>(worn[gender])],
    lines: isOld ? 2 : pick([0, 0, 1] as const),
  };
}

/** Pigments. Faces keep their own colours in both themes; only the ground behind them follows the theme. */
export const ink = "#24262C";

export const teeth = "#FFF8F0";

export const mouthInside = "#742A24";

export const seal = "#C8371F";

export const gold = "#C49A45";

export const paper = "#F6F1E7";

interface SkinTone {
  base: string;
  shade: string;
  blush: string;
  lip: string;
}

export const skinTones: Record<PortraitParameters["skin"], SkinTone> = {
  porcelain: { base: "#F8E1CE", shade: "#E6BFA5", blush: "#EE9C8A", lip: "#BC4A40" },
  ivory: { base: "#F4D5B9", shade: "#DDB08D", blush: "#E58F76", lip: "#B0483A" },
  peach: { base: "#F7D0B5", shade: "#E3A98A", blush: "#EC8A76", lip: "#BE453A" },
  sand: { base: "#EAC19B", shade: "#CD9A71", blush: "#D97F62", lip: "#A5463A" },
  wheat: { base: "#DCA97E", shade: "#BA825A", blush: "#C96B50", lip: "#963C32" },
  bronze: { base: "#C48E66", shade: "#9D6B48", blush: "#B25D44", lip: "#833830" },
};

interface HairTone {
  base: string;
  /** The stroke where light runs along the hair. */
  sheen: string;
  brow: string;
}

export const hairTones: Record<PortraitParameters["hairColor"], HairTone> = {
  ink: { base: "#25272D", sheen: "#4B505A", brow: "#25272D" },
  brown: { base: "#43302A", sheen: "#6D5145", brow: "#3A2A25" },
  chestnut: { base: "#6B4030", sheen: "#95614A", brow: "#553126" },
  grey: { base: "#5C5F66", sheen: "#8A8D93", brow: "#3F4147" },
  silver: { base: "#B4B2AE", sheen: "#D9D7D2", brow: "#8F8C88" },
};

interface Cloth {
  base: string;
  shade: string;
  /** Collars, seams and edges. */
  trim: string;
}

export const cloths: Record<PortraitParameters["coat"], Cloth> = {
  slate: { base: "#3C505A", shade: "#2E3F48", trim: "#5B717B" },
  seal: { base: "#C4412B", shade: "#A23220", trim: "#E07A63" },
  celadon: { base: "#3C8271", shade: "#2D685A", trim: "#7DB5A5" },
  ochre: { base: "#BF9143", shade: "#9F7530", trim: "#DDBB7C" },
  indigo: { base: "#3B4E78", shade: "#2D3D61", trim: "#7084B0" },
  plum: { base: "#7A4A5C", shade: "#613848", trim: "#A97C8C" },
  paper: { base: "#F2EBDD", shade: "#D9CFBC", trim: "#BFB39C" },
  charcoal: { base: "#3A3D44", shade: "#2A2C32", trim: "#62666F" },
  sky: { base: "#7FA3B8", shade: "#6287A0", trim: "#B5CDDA" },
};

/** Mid-tones; a veil of the theme's own wash makes them pale on paper and deep in the dark. */
export const grounds: Record<PortraitParameters["background"], string> = {
  paper: "#CFC3A9",
  mist: "#A9BAC1",
  celadon: "#9CC0B3",
  dawn: "#E2AE9B",
  ochre: "#DBBB80",
  dusk: "#A9A3BE",
};
