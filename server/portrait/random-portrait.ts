import { choices, type PortraitParameters } from "./parameters";
import { createRandom } from "./pose";

type Gender = "female" | "male" | "unknown";

type Hair = PortraitParameters["hair"];

const hairs: Record<Gender, readonly Hair[]> = {
  female: ["bob", "pixie", "long", "wavy", "ponytail", "bun", "low-bun", "twin-buns", "curls"],
  male: ["side-part", "crop", "buzz", "swept", "curtain", "topknot", "curls"],
  unknown: ["bob", "pixie", "long", "ponytail", "curls", "side-part", "crop", "swept", "curtain"],
};

/** Of an old face; the other styles are young people's. */
const oldHairs: Record<Gender, readonly Hair[]> = {
  female: ["bob", "pixie", "wavy", "bun", "low-bun", "curls"],
  male: ["side-part", "crop", "buzz", "swept", "bald"],
  unknown: ["bob", "pixie", "side-part", "crop", "swept"],
};
const youngHairs: readonly Hair[] = ["twin-buns", "ponytail", "curtain", "topknot"];

const darkHair = ["ink", "ink", "ink", "brown", "chestnut"] as const;

const beards = ["none", "none", "none", "stubble", "goatee", "full"] as const;

const usualAccessories = {
  female: [[], [], ["earrings"], ["glasses-round"], ["hairpin"], ["scarf"]],
  male: [[], [], [], ["glasses-square"], ["glasses-round"], ["headphones"]],
  unknown: [[], [], ["glasses-round"], ["headphones"]],
} as const satisfies Record<Gender, readonly PortraitParameters["accessories"][]>;

/** Draws random parameters that fit together. `random` returns 0 to below 1. */
export function randomPortrait(gender: Gender, random: () => number = Math.random): PortraitParameters {
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const isOld = random() < 0.12;
  const lines = isOld ? 2 : pick([0, 0, 1] as const);
  const grown = hairs[gender].filter((hair) => lines === 0 || !youngHairs.includes(hair));
  const collars = choices.collar.filter((collar) => lines === 0 || collar !== "hood");
  const worn = usualAccessories[gender].filter((names) => lines < 2 || !names.some((name) => name === "headphones"));
  return {
    skin: pick(choices.skin),
    face: pick(["oval", "round", "long", "square"] as const),
    hair: pick(isOld ? oldHairs[gender] : grown),
    hairColor: isOld ? pick(["grey", "silver"] as const) : pick(darkHair),
    brows: pick(choices.brows),
    eyes: pick(choices.eyes),
    beard: gender === "male" ? pick(beards) : "none",
    coat: pick(choices.coat),
    collar: pick(collars),
    background: pick(choices.background),
    accessories: [...pick<PortraitParameters["accessories"] | readonly []>(worn)],
    lines,
  };
}

interface FacesWish {
  gender: Gender;
  /** Median pitch of the voice, where it was measured. */
  pitchHz?: number | undefined;
  /** Another seed yields other faces. */
  seed: string;
  count: number;
}

/** Above it speak children, hardly any grown-up. */
const childPitchHz = 265;
/** Between most men and most women. */
const womanPitchHz = 165;

const isChild = (pitchHz: number | undefined) => pitchHz !== undefined && pitchHz >= childPitchHz;

/** What a voice's pitch says of its gender: nothing without one, or of a child. */
export const genderOfPitch = (pitchHz: number | undefined): Gender =>
  pitchHz === undefined || isChild(pitchHz) ? "unknown" : pitchHz >= womanPitchHz ? "female" : "male";

/**
 * Faces that fit a voice: gender as chosen, otherwise by pitch; children by pitch. Always the same for the same request,
 * and for another take of the same voice.
 */
export function facesForVoice({ gender, pitchHz, seed, count }: FacesWish): PortraitParameters[] {
  const chosen = gender === "unknown" ? genderOfPitch(pitchHz) : gender;
  const random = createRandom(`${seed} ${chosen} ${isChild(pitchHz)}`);
  return Array.from({ length: count }, (_, index) => {
    const face = randomPortrait(chosen, random);
    // Neighbours on different grounds are easier to tell apart.
    const background = choices.background[index % choices.background.length] ?? face.background;
    return isChild(pitchHz) ? { ...toChild(face, gender, random), background } : { ...face, background };
  });
}

function toChild(face: PortraitParameters, gender: Gender, random: () => number): PortraitParameters {
  const styles: readonly Hair[] =
    gender === "male" ? ["bowl", "crop", "curls"] : ["twin-buns", "bob", "ponytail", "bowl"];
  const hair = styles[Math.floor(random() * styles.length)] ?? "bowl";
  const hairColor = face.lines === 2 ? "ink" : face.hairColor;
  const collar = face.collar === "suit" ? "crew" : face.collar;
  return { ...face, face: "child", hair, hairColor, collar, beard: "none", lines: 0, eyes: "round", accessories: [] };
}
