import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Allowance } from "~server/bff/accounts.server";
import type { Dub } from "~server/bff/generations.server";
import { findScriptExcess, type ScriptExcess } from "~server/contract/length-limits";
import {
  createDub,
  findDub,
  type LineAudios,
  type Quote,
  quoteDub,
  toDubLine,
  toDubRequest,
  toTakeLines,
  withDubAudio,
  withoutDubAudio,
  withSentLines,
} from "./dub";
import { computeCost, countLineCharacters, isBlank, lineKeyOf, type Script, type ScriptLine } from "./editor/script";

interface GenerationOptions {
  /** A dub changed; not for takes. */
  onChanged(dub: Dub): void;
  onEnded(dub: Dub): void;
  /** A dub is running but is not listed yet; resolves when the list was read. */
  onUnlisted(): Promise<void>;
}

const refreshPauseMs = 250;

/** Generates lines, and follows the dubs and takes of the script until they end. */
export function useGeneration(initialAudios: LineAudios, options: GenerationOptions) {
  const [audios, setAudios] = useState(initialAudios);
  /** The dubs and takes of the script, newest first. */
  const [followed, setFollowed] = useState<Dub[]>([]);
  const [isStarting, setStarting] = useState(false);
  const [priceVersion, setPriceVersion] = useState(0);
  const latest = useRef(options);
  latest.current = options;
  const sentLines = useRef(new Map<string, Dub["lines"]>());

  const update = useCallback((received: Dub) => {
    const dub = withSentLines(received, sentLines.current.get(received.dubbId));
    setAudios((now) => withDubAudio(now, dub));
    setFollowed((now) => now.map((one) => (one.dubbId === dub.dubbId ? dub : one)));
    if (!dub.isTake) latest.current.onChanged(dub);
    if (dub.status === 1) return;
    setPriceVersion((now) => now + 1);
    latest.current.onEnded(dub);
  }, []);

  const refresh = useRefresh(update);

  const start = useCallback(
    async (
      script: Script,
      lines: readonly ScriptLine[],
      { isTake = false, revises }: { isTake?: boolean; revises?: string | null },
    ): Promise<Dub | null> => {
      setStarting(true);
      try {
        const take = { title: script.title, lines: toTakeLines(lines).map(toDubLine), isTake };
        const dub = await createDub(isTake ? take : await toDubRequest(script, lines, revises));
        if (!dub) {
          await latest.current.onUnlisted();
          return null;
        }
        sentLines.current.set(dub.dubbId, dub.lines);
        setFollowed((now) => [dub, ...now.filter(({ status }) => status === 1 || !isTake)]);
        update(dub);
        return dub;
      } finally {
        setStarting(false);
      }
    },
    [update],
  );

  return useMemo(
    () => ({
      audios,
      followed,
      isStarting,
      /** Changes when generations end or are deleted, so that the price may differ. */
      priceVersion,
      /** Generates the whole script, as a version of an earlier dub, or a take of some lines. Null if the dub is not listed yet. Throws `Refused`. */
      start,
      /** Reads a dub again; calls during a refresh cause one more. */
      refresh,
      /** Follows a dub that this page did not start. */
      follow(dub: Dub) {
        setFollowed((now) => (now.some(({ dubbId }) => dubbId === dub.dubbId) ? now : [...now, dub]));
        setAudios((now) => withDubAudio(now, dub));
      },
      /** Removes a deleted dub. */
      forget(dubbId: string) {
        setAudios((now) => withoutDubAudio(now, dubbId));
        setFollowed((now) => now.filter((dub) => dub.dubbId !== dubbId));
        setPriceVersion((now) => now + 1);
      },
    }),
    [audios, followed, isStarting, priceVersion, start, refresh],
  );
}

/** Reads dubs again, each one at a time and not too often; a call during a refresh causes one more. */
function useRefresh(update: (dub: Dub) => void) {
  const refreshing = useRef(new Map<string, "once" | "again">());
  const refresh = useCallback(
    async (taskId: string): Promise<void> => {
      if (refreshing.current.has(taskId)) return void refreshing.current.set(taskId, "again");
      refreshing.current.set(taskId, "once");
      const dub = await findDub(taskId).catch(() => null);
      if (dub) update(dub);
      await new Promise((resolve) => setTimeout(resolve, refreshPauseMs));
      const isDue = refreshing.current.get(taskId) === "again";
      refreshing.current.delete(taskId);
      if (isDue) await refresh(taskId);
    },
    [update],
  );
  return refresh;
}

export type Generation = ReturnType<typeof useGeneration>;

/** The cost of the script: the server's quote once it has arrived, until then this page's own count. */
export interface Price {
  /** The server has said what follows. */
  isQuoted: boolean;
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

interface PriceOptions {
  /** Allowance that was loaded with the page. */
  allowance: Allowance | null;
  /** Changes with the account, so that its allowance may differ, e.g. after a purchase. */
  accountVersion: number;
  /** Whether the server is asked for quotes. */
  hasQuotes: boolean;
}

const settleMs = 500;

/** The cost of the script now; asks the server shortly after the last change. */
export function usePrice(
  lines: readonly ScriptLine[],
  { audios, priceVersion }: Generation,
  { allowance, accountVersion, hasQuotes }: PriceOptions,
): Price {
  const written = useMemo(() => lines.filter((line) => !isBlank(line)), [lines]);
  const [quoted, setQuoted] = useState<{ key: string; quote: Quote } | null>(null);
  const version = `${priceVersion} ${accountVersion}`;
  const key = useMemo(() => `${version} ${written.map(lineKeyOf).join()}`, [version, written]);
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
    // Without quotes an upstream charges every line again.
    const own = computeCost(written, hasQuotes ? audios : new Map());
    const latestAllowance = quoted?.quote ?? allowance;
    return {
      isQuoted: quote !== null,
      changed: (quote ?? own).changed.length,
      written: written.length,
      characters: quote ? quote.costChar : own.characters,
      total: written.reduce((total, line) => total + countLineCharacters(line), 0),
      allowance: latestAllowance,
      excess: latestAllowance && findScriptExcess(lines.map(countLineCharacters), latestAllowance),
    };
  }, [quoted, key, lines, written, audios, allowance, hasQuotes]);
}
