import { useCallback, useEffect, useRef, useState } from "react";
import { bffPaths } from "~/bff-paths";
import type { ErrorCode } from "~server/contract/codes";
import type { Voice, VoiceShelf } from "./voice";

interface Refusal {
  code: ErrorCode;
  message?: string;
}

type Listing =
  | { phase: "loading" }
  | { phase: "failed"; refusal: Refusal }
  | { phase: "ready"; voices: Voice[]; total: number; page: number; more: "idle" | "loading" | "failed" };

const typingMs = 250;

/** A shelf of voices, page by page; a new word or shelf starts anew. */
export function useVoices(shelf: VoiceShelf, keyword: string) {
  const [listing, setListing] = useState<Listing>({ phase: "loading" });
  const [attempt, setAttempt] = useState(0);
  const asking = useRef<AbortController | null>(null);
  const asked = useRef({ keyword, attempt });

  const ask = useCallback(
    async (page: number, signal: AbortSignal) => {
      const query = new URLSearchParams({ page: String(page), ...(keyword && { keyword }) });
      const path = shelf === "own" ? bffPaths.ownVoices : bffPaths.squareVoices;
      const response = await fetch(`${path}?${query}`, { signal }).catch(() => null);
      const answer = (await response?.json().catch(() => null)) as {
        voices?: Voice[];
        total?: number;
        refusal?: Refusal;
      } | null;
      if (response?.ok && answer?.voices) return { voices: answer.voices, total: answer.total ?? 0 };
      return answer?.refusal ?? ({ code: response ? "request-failed" : "network" } satisfies Refusal);
    },
    [shelf, keyword],
  );

  useEffect(() => {
    const controller = new AbortController();
    asking.current = controller;
    // Another attempt, like another shelf, asks at once.
    const isTyped = asked.current.keyword !== keyword && asked.current.attempt === attempt;
    asked.current = { keyword, attempt };
    setListing({ phase: "loading" });
    const timer = setTimeout(
      async () => {
        const answer = await ask(1, controller.signal);
        if (controller.signal.aborted) return;
        if ("code" in answer) setListing({ phase: "failed", refusal: answer });
        else setListing({ phase: "ready", ...answer, page: 1, more: "idle" });
      },
      isTyped ? typingMs : 0,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [ask, keyword, attempt]);

  const more = async () => {
    if (listing.phase !== "ready" || listing.more === "loading" || listing.voices.length >= listing.total) return;
    const signal = asking.current?.signal;
    if (!signal) return;
    setListing({ ...listing, more: "loading" });
    const answer = await ask(listing.page + 1, signal);
    if (signal.aborted) return;
    if ("code" in answer) return setListing({ ...listing, more: "failed" });
    const known = new Set(listing.voices.map(({ roleId }) => roleId));
    const fresh = answer.voices.filter(({ roleId }) => !known.has(roleId));
    const total = answer.voices.length === 0 ? listing.voices.length : answer.total;
    setListing({ phase: "ready", voices: [...listing.voices, ...fresh], total, page: listing.page + 1, more: "idle" });
  };

  return { listing, more, retry: () => setAttempt((now) => now + 1) };
}
