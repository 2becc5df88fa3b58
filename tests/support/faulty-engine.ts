import type { PreparedText, SpeechEngine, SpokenUnit } from "~server/speech/engine";
import { checkSpeech } from "~server/speech/speech-check";
import { createToneSpeech, type ToneSpeech } from "./tone-engine";

export type SpeechSlip = "missing" | "added" | "wrong";

export interface FaultySpeech extends ToneSpeech {
  /** Faults of the next segments, in order; later ones are spoken as they should be. */
  slips: Array<SpeechSlip | "none">;
}

const stranger: SpokenUnit = { kind: "syllable", text: "铁", offset: 0, length: 1, pinyin: "tie3", tone: 3 };

/** The units as spoken with one syllable missing, added or wrong, in the middle. */
function slip(units: readonly SpokenUnit[], kind: SpeechSlip | "none"): SpokenUnit[] {
  const syllables = units.flatMap((unit, at) => (unit.kind === "syllable" ? [at] : []));
  const at = syllables[Math.floor(syllables.length / 2)] ?? 0;
  if (kind === "missing") return units.toSpliced(at, 1);
  if (kind === "added") return units.toSpliced(at, 0, stranger);
  return kind === "wrong" ? units.with(at, stranger) : [...units];
}

/** An engine that leaves out, adds or changes syllables on request, with a recogniser that writes what it spoke. */
export function createFaultySpeech(): FaultySpeech {
  const tones = createToneSpeech();
  const slips: FaultySpeech["slips"] = [];
  let spoken: SpokenUnit[] = [];
  const engine = tones.engine().then(
    (own): SpeechEngine => ({
      ...own,
      async *synthesize(request, signal) {
        spoken = slip(request.text.units, slips.shift() ?? "none");
        yield* own.synthesize({ ...request, text: { units: spoken } satisfies PreparedText }, signal);
      },
    }),
  );
  const recogniser = {
    transcribe: async () => ({
      text: spoken.map(({ kind, text }) => (kind === "pause" ? "，" : text)).join(""),
      language: "zh",
      words: [],
    }),
  };
  const prepareText = (text: string) => tones.prepareText(text);
  return {
    ...tones,
    slips,
    engine: () => engine,
    checkSpeech: (chunks, text, signal) => checkSpeech({ recogniser, prepareText }, { chunks, text, signal }),
  };
}
