import { toPortraitCode } from "~server/contract/portrait/parameters";
import type { Human } from "./still";

/** A role of the square as its list shows it. */
export interface SquareHuman extends Human {
  tags: readonly string[];
  /** How often it was used; null where the upstream does not tell. */
  useNum: number | null;
}

/** What a card shows of a role and no more: pages send it twice, as markup and as data. */
export function toShownHuman({ roleId, name, describe, avatar, portrait, voiceUrl, timelineUrl }: Human): Human {
  const code = avatar ? null : toPortraitCode(portrait);
  return {
    roleId,
    name,
    describe,
    voiceUrl,
    ...(avatar && { avatar }),
    ...(code && { portrait: code }),
    ...(timelineUrl && { timelineUrl }),
  };
}

export const toSquareHuman = ({ tags, useNum, ...human }: SquareHuman): SquareHuman => ({
  ...toShownHuman(human),
  tags,
  useNum,
});
