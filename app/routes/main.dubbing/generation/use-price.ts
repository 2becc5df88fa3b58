import { useEffect, useMemo, useState } from "react";
import { findScriptExcess, type ScriptExcess } from "~server/contract/script-size";
import { dubClient, type Quote } from "../dub-client";
import { charactersOf, costOf, keyOf, totalCharacters } from "../editor/cost";
import { isBlank, type ScriptLine } from "../editor/script";
import type { MadeLines } from "./made";
import { toDubLine } from "./use-generation";

export interface Price {
  /** Lines that are to be made, of all that are written. */
  changed: number;
  written: number;
  /** What it takes. */
  characters: number;
  /** What the whole script is long. */
  total: number;
  /** Whether the server has said so too; until then it is this page's own count. */
  isSettled: boolean;
  allowance: Pick<Quote, "tier" | "limit" | "left"> | null;
  /** What the script has too many characters of; its line counts among all lines. */
  excess: ScriptExcess | null;
}

const settleMs = 500;

/** What making the script takes: counted here at once, and by the server soon after. */
export function usePrice(
  lines: readonly ScriptLine[],
  made: MadeLines,
  { allowance, isAsked, round }: { allowance: Price["allowance"]; isAsked: boolean; round: number },
): Price {
  const written = useMemo(() => lines.filter((line) => !isBlank(line)), [lines]);
  const [quote, setQuote] = useState<{ of: string; quote: Quote } | null>(null);
  const wanted = useMemo(() => `${round} ${written.map(keyOf).join()}`, [round, written]);
  const isComplete = written.length > 0 && written.every(({ roleId }) => roleId !== "");

  useEffect(() => {
    if (!isAsked || !isComplete) return;
    const gone = new AbortController();
    const timer = setTimeout(() => {
      dubClient.quote(written.map(toDubLine), gone.signal).then(
        (told) => setQuote({ of: wanted, quote: told }),
        // The page's own count stands.
        () => {},
      );
    }, settleMs);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [wanted, written, isAsked, isComplete]);

  return useMemo(() => {
    const isSettled = quote?.of === wanted;
    const own = costOf(written, made);
    const allowed = quote?.quote ?? allowance;
    return {
      changed: isSettled ? quote.quote.changed.length : own.changed.length,
      written: written.length,
      characters: isSettled ? quote.quote.costChar : own.characters,
      total: totalCharacters(written),
      isSettled,
      allowance: allowed,
      excess: allowed && findScriptExcess(lines.map(charactersOf), allowed),
    };
  }, [quote, wanted, lines, written, made, allowance]);
}
