import { useEffect, useMemo, useState } from "react";
import { findScriptExcess, type ScriptExcess } from "~server/contract/length-limits";
import { type Quote, quoteDub } from "./dub";
import { computeCost, countLineCharacters, isBlank, lineKeyOf, type ScriptLine } from "./editor/script";
import { type Generation, toDubLine } from "./use-generation";

export type Allowance = Pick<Quote, "tier" | "limit" | "left">;

/** The cost of the script: the server's quote once it has arrived, until then this page's own count. */
export interface Price {
  /** Lines to generate, of the `written` ones. */
  changed: number;
  written: number;
  /** Characters to pay. */
  characters: number;
  /** Characters of the whole script. */
  total: number;
  allowance: Allowance | null;
  /** The first limit that the script exceeds; its line index counts blank lines too. */
  excess: ScriptExcess | null;
}

interface Options {
  /** As loaded with the page. */
  allowance: Allowance | null;
  /** Whether the server is asked for quotes. */
  hasQuotes: boolean;
}

const settleMs = 500;

/** The cost of the script now; asks the server shortly after the last change. */
export function usePrice(
  lines: readonly ScriptLine[],
  { audios, priceVersion }: Generation,
  { allowance, hasQuotes }: Options,
): Price {
  const written = useMemo(() => lines.filter((line) => !isBlank(line)), [lines]);
  const [quoted, setQuoted] = useState<{ key: string; quote: Quote } | null>(null);
  const key = useMemo(() => `${priceVersion} ${written.map(lineKeyOf).join()}`, [priceVersion, written]);
  const isComplete = written.length > 0 && written.every(({ roleId }) => roleId !== "");

  useEffect(() => {
    if (!hasQuotes || !isComplete) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      quoteDub(written.map(toDubLine), controller.signal).then(
        (quote) => setQuoted({ key, quote }),
        // Without a quote the page's own count stays.
        () => {},
      );
    }, settleMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key, written, hasQuotes, isComplete]);

  return useMemo(() => {
    const quote = quoted?.key === key ? quoted.quote : null;
    const own = computeCost(written, audios);
    const latestAllowance = quoted?.quote ?? allowance;
    return {
      changed: (quote ?? own).changed.length,
      written: written.length,
      characters: quote ? quote.costChar : own.characters,
      total: written.reduce((total, line) => total + countLineCharacters(line), 0),
      allowance: latestAllowance,
      excess: latestAllowance && findScriptExcess(lines.map(countLineCharacters), latestAllowance),
    };
  }, [quoted, key, lines, written, audios, allowance]);
}
