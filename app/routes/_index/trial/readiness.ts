import { trialCopy } from "~/copy/home";
import { recordingTips } from "~/copy/recording";
import type { Human } from "~/features/portrait/human";
import { countCharacters } from "~server/contract/characters";
import { charactersFree } from "~server/contract/limits";
import type { Voice } from "./use-voice";

export type Problem = { where: "voice" | "text"; sentence: string } | null;

/** What is still missing, first things first; null when it can start. */
export function problemOf(voice: Voice, text: string): Problem {
  const sentence = voiceProblem(voice);
  if (sentence) return { where: "voice", sentence };
  const used = countCharacters(text);
  if (used === 0) return { where: "text", sentence: trialCopy.text.empty };
  if (used > charactersFree) return { where: "text", sentence: trialCopy.text.over(used - charactersFree) };
  return null;
}

function voiceProblem({ source, roleId, references }: Voice): string | null {
  if (source === "sample") return roleId ? null : trialCopy.voice.missing.sample;
  const reference = references[source];
  if (!reference) return trialCopy.voice.missing[source];
  const tip = reference.quality?.tips[0];
  return reference.quality?.verdict === "refused" && tip ? recordingTips[tip].sentence : null;
}

/** Without a sample that still exists, the first one is chosen. */
export function withFirstSample(voice: Voice, humans: readonly Human[]): Voice {
  if (humans.some(({ roleId }) => roleId === voice.roleId)) return voice;
  return { ...voice, roleId: humans[0]?.roleId ?? null };
}

/** The chosen voice and text as an order. */
export function wishOf({ source, roleId, references }: Voice, content: string, humans: readonly Human[]) {
  if (source !== "sample") {
    return { content, voiceName: trialCopy.voice.mine, reference: references[source] ?? undefined };
  }
  const human = humans.find((one) => one.roleId === roleId);
  return { content, voiceName: human?.name ?? trialCopy.voice.mine, roleId: roleId ?? undefined };
}
