import { composerCopy } from "~/copy/clone";
import { referenceFault } from "~/features/reference/reference-panel";
import type { Allowance } from "~server/bff/accounts.server";
import { countCharacters } from "~server/contract/characters";
import { charactersFree } from "~server/contract/limits";
import { type Draft, toneReferences, voiceReferences } from "./draft";

export type Problem = { where: "voice" | "text" | "tone"; sentence: string };

/** Characters per generation. */
export const limitOf = (allowance: Allowance | null) => allowance?.limit || charactersFree;

/** What is still missing, first things first; null when it can start. */
export function problemOf(draft: Draft, allowance: Allowance | null): Problem | null {
  const voice = voiceProblem(draft);
  if (voice) return { where: "voice", sentence: voice };
  const used = countCharacters(draft.content);
  const limit = limitOf(allowance);
  if (used === 0) return { where: "text", sentence: composerCopy.text.empty };
  if (used > limit) return { where: "text", sentence: composerCopy.text.over(used - limit, limit) };
  const tone = draft.tone.genre === 1 && !draft.emotionPath ? referenceFault(toneReferences(draft)) : null;
  return tone ? { where: "tone", sentence: tone } : null;
}

function voiceProblem(draft: Draft): string | null {
  if (draft.from === "role") return draft.voice ? null : composerCopy.voice.missing;
  return draft.voicePath ? null : referenceFault(voiceReferences(draft));
}

export type Cost =
  | { kind: "nothing" }
  | { kind: "visitor" | "need"; need: number }
  | { kind: "characters" | "short"; need: number; left: number }
  | { kind: "trial"; left: number }
  | { kind: "no-trial" };

/** What the press of the button takes, and what remains after it. */
export function costOf(content: string, allowance: Allowance | null, isLoggedIn: boolean): Cost {
  const need = countCharacters(content);
  if (need === 0) return { kind: "nothing" };
  if (!isLoggedIn) return { kind: "visitor", need };
  if (!allowance) return { kind: "nothing" };
  const { tier, left } = allowance;
  if (left === null) return { kind: "need", need };
  if (!tier) return left > 0 ? { kind: "trial", left: left - 1 } : { kind: "no-trial" };
  return need > left ? { kind: "short", need, left } : { kind: "characters", need, left: left - need };
}
