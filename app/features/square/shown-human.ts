import { toPortraitCode } from "~/features/portrait/parameters";
import type { Human } from "~/features/portrait/picture";
import type { SquareHuman as UpstreamHuman } from "~server/bff/roles.server";

/** A role of the square as its list shows it. */
export type SquareHuman = Human & Pick<UpstreamHuman, "tags" | "useNum">;

type Shown = Omit<UpstreamHuman, "tags" | "useNum">;

/** What a card shows of a role and no more: pages send it twice, as markup and as data. */
export function toShownHuman({ roleId, name, describe, avatar, portrait, voiceUrl, timelineUrl }: Shown): Human {
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

export const toSquareHuman = ({ tags, useNum, ...rest }: UpstreamHuman): SquareHuman => ({
  ...toShownHuman(rest),
  tags,
  useNum,
});
