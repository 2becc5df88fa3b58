import { z } from "zod/v4";
import { flag, orNull, text } from "./tolerant";

const answer = () => orNull(flag());

/** POST /verify, multipart `file`: is it ours, and is it marked as AI-generated? null: cannot tell. */
export const verified = z.object({
  ours: answer(),
  labelled: answer(),
  /** RFC 3339; "" where neither label nor fingerprint tells. */
  generatedAt: text(),
  /** The label's ProduceID; "" where unknown. */
  contentId: text(),
  /** How it was recognised. */
  by: orNull(z.enum(["label", "fingerprint"])),
});
