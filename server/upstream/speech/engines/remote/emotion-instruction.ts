import type { Emotion, SpeechRequest } from "../../engine";

/** Said to models that take instructions in words. */
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

const leastWeight = 0.2;

/** The strongest emotion as an instruction; undefined where none is asked for. */
export function toEmotionInstruction(emotion: SpeechRequest["emotion"]): string | undefined {
  const [strongest] = Object.entries(emotion ?? {}).sort(([, a], [, b]) => b - a);
  if (!strongest || strongest[1] < leastWeight) return undefined;
  const degree = strongest[1] > 0.8 ? "非常" : strongest[1] < 0.4 ? "略带" : "";
  return `请用${degree}${words[strongest[0] as Emotion]}的语气说这句话。`;
}
