import { roleFormCopy } from "~/copy/roles";
import type { PortraitParameters } from "~/features/portrait/parameters";
import { roleDescribeMax, roleNameMax } from "~server/contract/limits";
import { areTagsFit, parseTags } from "./tags";

export const genders = ["female", "male", "unknown"] as const;

/** What is written about a role. */
export interface Fields {
  name: string;
  describe: string;
  gender: (typeof genders)[number];
  /** As typed. */
  tags: string;
}

/** The face: drawn, or a photo that is already at the upstream or still here. */
export interface Look {
  kind: "drawn" | "photo";
  portrait: PortraitParameters;
  photo: Blob | null;
  /** Where the upstream keeps the photo; "" while it does not. */
  avatar: string;
}

export type Faults = Partial<Record<"voice" | "name" | "tags" | "look" | "consent", string>>;

/** What of the fields and the face does not do yet, in sentences. */
export function faultsOf(fields: Fields, look: Look): Faults {
  const name = fields.name.trim();
  const faults: Faults = {};
  if (!name) faults.name = roleFormCopy.about.nameMissing;
  else if (name.length > roleNameMax) faults.name = roleFormCopy.about.nameLong;
  if (!areTagsFit(parseTags(fields.tags))) faults.tags = roleFormCopy.about.tagsOver;
  if (look.kind === "photo" && !look.photo && !look.avatar) faults.look = roleFormCopy.look.missingPhoto;
  return faults;
}

/** The fields as the contract has them. */
export const toAbout = ({ name, describe, gender, tags }: Fields) => ({
  name: name.trim(),
  describe: describe.trim().slice(0, roleDescribeMax),
  gender,
  tags: parseTags(tags),
});
