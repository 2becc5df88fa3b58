import { humanCopy } from "~/copy/square";
import type { Human } from "~/features/portrait/human-card";
import { paths } from "~/paths";

/** A human's preview, for the player. */
export const previewOf = (human: Human) => ({
  url: paths.media(human.voiceUrl),
  title: humanCopy.trackTitle(human.name),
  subtitle: human.describe,
});
