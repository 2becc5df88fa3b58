import type { Emotion, SpeechRequest } from "../../engine";

/** For models that take instructions in Chinese. */
const words: Record<Emotion, string> = {
  happy: "开心",
  angry: "愤怒",
  sad: "悲伤",
  afraid: "害怕",
  disgusted: "厌恶",
  melancholic: "忧郁",
  surprised: "惊讶",
  calm: "平静",
};

const minWeight = 0.2;

/** The strongest emotion as an instruction; undefined if none is strong enough. */
export function toEmotionInstruction(emotion: SpeechRequest["emotion"]): string | undefined {
  const strongest = findStrongest(emotion);
  if (!strongest) return undefined;
  const degree = strongest.weight > 0.8 ? "非常" : strongest.weight < 0.4 ? "略带" : "";
  return `请用${degree}${words[strongest.name]}的语气说这句话。`;
}

/** The strongest emotion, or null below a weight of 0.2. */
export function findStrongest(emotion: SpeechRequest["emotion"] = {}): { name: Emotion; weight: number } | null {
  const [strongest] = Object.entries(emotion).sort(([, a], [, b]) => b - a);
  return strongest && strongest[1] >= minWeight ? { name: strongest[0] as Emotion, weight: strongest[1] } : null;
}
