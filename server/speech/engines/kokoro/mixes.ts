import type { VoiceDescription } from "./description";
import packed from "./mixes.json" with { type: "json" };

/** A mix of styles as the model speaks it, measured once for all installations. */
export interface MixDescription
  extends Pick<VoiceDescription, "medianSt" | "spreadSt" | "syllablesPerSecond" | "spectrumDb"> {
  styles: Readonly<Record<string, number>>;
  print: Float64Array;
}

/** Steps of the stored integers. */
const spectrumStepDb = 0.25;
const printStep = 0.05;

let unpacked: MixDescription[] | undefined;

/** The measured mixes; `tests/training/measure-mixes.ts` writes their table. */
export function mixes(): readonly MixDescription[] {
  unpacked ??= packed.map(parseMix);
  return unpacked;
}

/** A row of the table: styles | median, spread, syllables a second | spectrum | print. */
export function packMix({ styles, medianSt, spreadSt, syllablesPerSecond, spectrumDb, print }: MixDescription): string {
  const steps = (values: ArrayLike<number>, step: number) => Array.from(values, (value) => Math.round(value / step));
  return [
    Object.entries(styles).flat(),
    [medianSt, spreadSt, syllablesPerSecond].map((value) => value.toFixed(2)),
    steps(spectrumDb, spectrumStepDb),
    steps(print, printStep),
  ]
    .map((values) => values.join(" "))
    .join(" | ");
}

function parseMix(row: string): MixDescription {
  const [styles = [], measures = [], spectrum = [], print = []] = row.split(" | ").map((part) => part.split(" "));
  const [medianSt = 0, spreadSt = 0, syllablesPerSecond = 0] = measures.map(Number);
  return {
    ...{ medianSt, spreadSt, syllablesPerSecond },
    styles: Object.fromEntries(styles.flatMap((name, i) => (i % 2 === 0 ? [[name, Number(styles[i + 1])]] : []))),
    spectrumDb: spectrum.map((value) => Number(value) * spectrumStepDb),
    print: Float64Array.from(print, (value) => Number(value) * printStep),
  };
}
