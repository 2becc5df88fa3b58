import { z } from "zod";
import { flag, orNull } from "./tolerant";

const answer = () => orNull(flag());

/** POST /verify, multipart `file`: is it ours, and is it marked as AI-generated? null: cannot tell. */
export const verified = z.object({ ours: answer(), labelled: answer() });
