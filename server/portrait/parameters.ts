/**
 * Options of a drawn face. Roles carry it as JSON; the browser draws it. Portrait codes count places in these lists:
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

/** Reads a face from a role's field; null if there is none, and a placeholder is drawn instead. */
export function parsePortrait(value: unknown): PortraitParameters | null {
  const json = typeof value === "string" ? (parseCode(value) ?? fromJson(value)) : value;
  if (typeof json !== "object" || json === null || Array.isArray(json)) return null;
  const given = new Map<string, unknown>(Object.entries(json));
  if (!isOneOf(choices.hair, given.get("hair"))) return null;
  const pick = <Key extends keyof Choices>(key: Key) => {
    const wanted = given.get(key);
    return (isOneOf(choices[key], wanted) ? wanted : choices[key][0]) as Choices[Key];
  };
  const givenAccessories = given.get("accessories");
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
    accessories: Array.isArray(givenAccessories) ? accessories.filter((name) => givenAccessories.includes(name)) : [],
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
