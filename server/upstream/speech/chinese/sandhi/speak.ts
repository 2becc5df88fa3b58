import type { ReadPiece } from "../readings/read";
import { joinErhua } from "./erhua";
import { applyLightTone } from "./light-tone";
import type { Syllable } from "./syllable";
import { applyThirdTone } from "./third-tone";
import { applyYiBu } from "./yi-bu";

/** Turns lexical readings into spoken ones, run by run; a run ends at a pause or a Latin word. */
export function speakRuns(pieces: readonly ReadPiece[]): ReadPiece[] {
  const spoken: ReadPiece[] = [];
  let run: ReadPiece[] = [];
  for (const piece of pieces) {
    if (piece.kind === "char") {
      run.push(piece);
      continue;
    }
    spoken.push(...speakRun(run), piece);
    run = [];
  }
  return [...spoken, ...speakRun(run)];
}

function speakRun(run: readonly ReadPiece[]): ReadPiece[] {
  const pieces = joinErhua(run);
  const syllables = toSyllables(pieces);
  applyLightTone(syllables);
  applyYiBu(syllables);
  applyThirdTone(syllables);
  return pieces.map((piece, index) => ({ ...piece, pinyin: `${syllables[index]?.letters}${syllables[index]?.tone}` }));
}

function toSyllables(pieces: readonly ReadPiece[]): Syllable[] {
  const ends: number[] = [];
  for (let at = pieces.length - 1; at >= 0; at--) {
    ends[at] = pieces[at]?.word === pieces[at + 1]?.word ? (ends[at + 1] ?? at + 1) : at + 1;
  }
  let start = 0;
  return pieces.map(({ text, pinyin = "", isPinned, word }, index) => {
    if (word !== pieces[index - 1]?.word) start = index;
    const tone = Number(pinyin.at(-1));
    const place = { wordStart: start, wordEnd: ends[index] ?? index + 1 };
    return { char: text, letters: pinyin.slice(0, -1), lexical: tone, tone, isPinned, ...place };
  });
}
