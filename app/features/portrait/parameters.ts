/** What a drawn face is made of. Roles carry it as JSON; the browser draws it. */
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
  const json = typeof value === "string" ? fromJson(value) : value;
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

/** A face nobody has chosen: everything fits together, nothing is odd. `random` is 0 to below 1. */
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
