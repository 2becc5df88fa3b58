import type { SpokenUnit } from "../../engine";

/** What normalising leaves: one character to be read, a Latin word or letter, or a pause, with its place in the content. */
export interface Piece {
  kind: "char" | "latin" | "pause";
  text: string;
  offset: number;
  length: number;
  /** Set by a mark or the dictionary: neither the lexicon nor sandhi touches it. */
  pinyin?: string;
  pauseMs?: number;
  strength?: SpokenUnit["strength"];
}
