import { choices, type PortraitParameters } from "./parameters";

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
