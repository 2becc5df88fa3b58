import { roleFormCopy } from "~/copy/roles";
import { roleDescribeMax, roleNameMax } from "~server/contract/limits";
import { type PortraitParameters, toPortraitCode } from "~server/portrait/parameters";
import type { PhotoFace } from "~server/portrait/photo-face";
import { facesForVoice, genderOfPitch } from "~server/portrait/random-portrait";

export const genders = ["female", "male", "unknown"] as const;

/** The text fields of a role. */
export interface Fields {
  name: string;
  describe: string;
  gender: (typeof genders)[number];
  /** Chosen by the person; otherwise it follows the recording. */
  isGenderChosen?: boolean;
  /** Tags as typed; `parseTags` splits them. */
  tags: string;
}

/** The face: a drawing, or a photo in this browser or at the upstream. */
export interface Look {
  kind: "drawn" | "photo";
  portrait: PortraitParameters;
  /** Number of the faces that are offered; another one offers others. */
  batch: number;
  photo: Blob | null;
  /** What moves in the photo; null while it stays still. */
  face: PhotoFace | null;
  /** URL of the uploaded photo; "" before the upload. */
  avatar: string;
}

/** What the offered faces fit. */
export interface FacedVoice {
  gender: Fields["gender"];
  pitchHz?: number | undefined;
}

/** The six faces that are offered. */
export const facesOf = (batch: number, voice: FacedVoice): PortraitParameters[] =>
  facesForVoice({ ...voice, seed: String(batch), count: 6 });

/** A face that was chosen among the offered ones becomes the one at its place; one that was tuned by hand stays. */
export function withNewFaces(look: Look, before: FacedVoice, now: FacedVoice): Look {
  const place = facesOf(look.batch, before).map(toPortraitCode).indexOf(toPortraitCode(look.portrait));
  return { ...look, portrait: facesOf(look.batch, now)[place] ?? look.portrait };
}

/** The fields with the gender of the recording, unless the person chose one. */
export const withHeardGender = (fields: Fields, pitchHz: number | undefined): Fields =>
  fields.isGenderChosen || pitchHz === undefined ? fields : { ...fields, gender: genderOfPitch(pitchHz) };

export type Faults = Partial<Record<"voice" | "name" | "tags" | "look" | "consent", string>>;

/** Validates the fields and the face; a sentence for each fault. */
export function findFaults(fields: Fields, look: Look): Faults {
  const name = fields.name.trim();
  const faults: Faults = {};
  if (!name) faults.name = roleFormCopy.about.nameMissing;
  else if (name.length > roleNameMax) faults.name = roleFormCopy.about.nameLong;
  if (!areTagsValid(parseTags(fields.tags))) faults.tags = roleFormCopy.about.tagsOver;
  if (look.kind === "photo" && !look.photo && !look.avatar) faults.look = roleFormCopy.look.missingPhoto;
  return faults;
}

/** The fields as the contract takes them. */
export const toRoleInput = ({ name, describe, gender, tags }: Fields) => ({
  name: name.trim(),
  describe: describe.trim().slice(0, roleDescribeMax),
  gender,
  tags: parseTags(tags),
});

const tagsMax = 10;
const tagMaxLength = 20;

/** Splits typed tags at spaces and commas; each tag once. */
export function parseTags(text: string): string[] {
  return [...new Set(text.normalize("NFC").split(/[\s,，、;；]+/u))].filter(Boolean);
}

/** True if number and lengths are within the limits of a role. */
export const areTagsValid = (tags: readonly string[]) =>
  tags.length <= tagsMax && tags.every((tag) => tag.length <= tagMaxLength);

/** Adds the tag to the text, or removes it. */
export function toggleTag(text: string, tag: string): string {
  const tags = parseTags(text);
  return (tags.includes(tag) ? tags.filter((one) => one !== tag) : [...tags, tag]).join(" ");
}
