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

/** The measured mixes; `npm run bench -- --only mixes` writes their table. */
export function mixes(): readonly MixDescription[] {
  unpacked ??= packed.map(({ styles, spectrum, print, ...measures }) => ({
    ...measures,
    styles: parseStyles(styles),
    spectrumDb: spectrum.map((value) => value * spectrumStepDb),
    print: Float64Array.from(print, (value) => value * printStep),
  }));
  return unpacked;
}

/** A row of the table: "zf_xiaoni 0.5 af_sky 0.5". */
export function packMix({ styles, medianSt, spreadSt, syllablesPerSecond, spectrumDb, print }: MixDescription) {
  const round = (value: number) => Math.round(value * 100) / 100;
  return {
    styles: Object.entries(styles).flat().join(" "),
    medianSt: round(medianSt),
    spreadSt: round(spreadSt),
    syllablesPerSecond: round(syllablesPerSecond),
    spectrum: spectrumDb.map((level) => Math.round(level / spectrumStepDb)),
    print: Array.from(print, (value) => Math.round(value / printStep)),
  };
}

function parseStyles(text: string): Record<string, number> {
  const words = text.split(" ");
  return Object.fromEntries(words.flatMap((name, i) => (i % 2 === 0 ? [[name, Number(words[i + 1])]] : [])));
}
