import { startTransition, useCallback, useEffect, useRef, useState } from "react";
import { bffPaths, call, type Refusal, refusalOf } from "~/call";
import type { VoicePage } from "~server/bff/roles.server";
import { refreshKept } from "./kept-voices";

/** The account's own roles, or the public ones. */
export type VoiceSource = "own" | "square";

type Listing =
  | { phase: "loading" }
  | { phase: "failed"; refusal: Refusal }
  | (VoicePage & { phase: "ready"; more: "idle" | "loading" | "failed" });

const typingMs = 250;

/**
 * Lists the voices of a source page by page, the chosen one first; a new keyword or source starts again at the first page.
 */
export function useVoices(source: VoiceSource, keyword: string, chosen: string | null) {
  const [listing, setListing] = useState<Listing>({ phase: "loading" });
  const [attempt, setAttempt] = useState(0);
  const controller = useRef<AbortController | null>(null);
  const previous = useRef({ keyword, attempt });

  const readPage = useCallback(
    async (page: number, signal: AbortSignal) => {
      const query = new URLSearchParams({ page: String(page), ...(keyword && { keyword }), ...(chosen && { chosen }) });
      const path = source === "own" ? bffPaths.ownVoices : bffPaths.squareVoices;
      const read = await call<VoicePage>(`${path}?${query}`, { signal });
      refreshKept(read.voices);
      return read;
    },
    [source, keyword, chosen],
  );

  useEffect(() => {
    const current = new AbortController();
    controller.current = current;
    const { signal } = current;
    const isTyping = previous.current.keyword !== keyword && previous.current.attempt === attempt;
    previous.current = { keyword, attempt };
    setListing({ phase: "loading" });
    const timer = setTimeout(
      async () => {
        const next = await readPage(1, signal).then(
          (first): Listing => ({ ...first, phase: "ready", page: 1, more: "idle" }),
          (error: unknown): Listing => ({ phase: "failed", refusal: refusalOf(error) }),
        );
        // In slices: rendering twenty rows at once is one long task.
        if (!signal.aborted) startTransition(() => setListing(next));
      },
      isTyping ? typingMs : 0,
    );
    return () => {
      clearTimeout(timer);
      current.abort();
    };
  }, [readPage, keyword, attempt]);

  const more = async () => {
    if (listing.phase !== "ready" || listing.more === "loading" || listing.voices.length >= listing.total) return;
    const signal = controller.current?.signal;
    if (!signal) return;
    setListing({ ...listing, more: "loading" });
    const next = await readPage(listing.page + 1, signal).catch(() => null);
    if (signal.aborted) return;
    if (!next) return setListing({ ...listing, more: "failed" });
    const known = new Set(listing.voices.map(({ roleId }) => roleId));
    const voices = [...listing.voices, ...next.voices.filter(({ roleId }) => !known.has(roleId))];
    const total = next.voices.length === 0 ? listing.voices.length : next.total;
    setListing({ ...next, phase: "ready", voices, total, page: listing.page + 1, more: "idle" });
  };

  return { listing, more, retry: () => setAttempt((now) => now + 1) };
}
