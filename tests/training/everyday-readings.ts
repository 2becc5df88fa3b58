import { toTokens } from "~server/speech/chinese/normalise/tokens";
import { findPolyphones } from "~server/speech/chinese/polyphones";
import { findWords, type ReadingContext } from "~server/speech/chinese/readings/context";
import { readLexicon } from "~server/speech/chinese/readings/lexicon";
import { toCharacters } from "~server/speech/chinese/readings/read";
import written from "./everyday-readings.json" with { type: "json" };

/** An ambiguous character of an everyday sentence with its true reading. */
export interface EverydaySample {
  context: ReadingContext;
  guess: string;
  reading: string;
}

/** The offered characters of the sentences in `everyday-readings.json`; throws if a sentence and its readings differ. */
export function readEveryday(): EverydaySample[] {
  return Object.values(written).flatMap((sentences) =>
    Object.entries(sentences).flatMap(([text, readings]) => toSamples(text, readings.split(" "))),
  );
}

function toSamples(text: string, readings: readonly string[]): EverydaySample[] {
  const tokens = toTokens(text, []);
  const characters = toCharacters(tokens);
  const words = findWords(characters);
  const guesses = readLexicon(characters);
  const left = [...readings];
  return findPolyphones(text).flatMap(({ char, offset }) => {
    if (!left[0]?.startsWith(char)) return [];
    const reading = left.shift()?.slice(char.length) ?? "";
    const at = tokens.findIndex((token) => token.offset === offset);
    return [{ context: { characters, words, at }, guess: guesses[at] ?? "", reading }];
  });
}
