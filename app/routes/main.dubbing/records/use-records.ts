import { useCallback, useEffect, useRef, useState } from "react";
import type { Dub, DubPage } from "~server/bff/dubs.server";
import type { Refusal } from "~server/bff/refusal.server";
import { dubClient, Refused } from "../dub-client";

export interface Records {
  phase: "loading" | "failed" | "ready";
  list: Dub[];
  total: number;
  refusal: Refusal | null;
  more: "idle" | "loading" | "failed";
}

export type FirstPage = DubPage | { refusal: Refusal } | null;

const typingMs = 300;

/** The account's dubs, the newest first: searched, read on, and kept up to date. */
export function useRecords(first: FirstPage) {
  const [records, setRecords] = useState<Records>(() => begin(first));
  const [keyword, setKeyword] = useState("");
  const page = useRef(1);
  const asked = useRef(0);

  const load = useCallback(async (wanted: number, word: string, isQuiet = false) => {
    const turn = ++asked.current;
    if (wanted === 1 && !isQuiet) setRecords((now) => ({ ...now, phase: "loading" }));
    if (wanted > 1) setRecords((now) => ({ ...now, more: "loading" }));
    try {
      const { list, total } = await dubClient.list(wanted, word);
      if (turn !== asked.current) return;
      page.current = wanted;
      setRecords((now) => ({
        phase: "ready",
        list: wanted === 1 ? list : [...now.list, ...list.filter((one) => !now.list.some(isSame(one)))],
        total,
        refusal: null,
        more: "idle",
      }));
    } catch (error) {
      if (turn !== asked.current || isQuiet) return;
      const refusal: Refusal = error instanceof Refused ? error.refusal : { code: "request-failed" };
      setRecords((now) => (wanted > 1 ? { ...now, more: "failed" } : { ...now, phase: "failed", refusal }));
    }
  }, []);

  const shown = useRef("");
  useEffect(() => {
    if (shown.current === keyword) return;
    const timer = setTimeout(() => {
      shown.current = keyword;
      void load(1, keyword);
    }, typingMs);
    return () => clearTimeout(timer);
  }, [keyword, load]);

  return {
    records,
    keyword,
    setKeyword,
    retry: () => load(1, keyword),
    more: () => load(page.current + 1, keyword),
    /** Reads the first page again, quietly. */
    reread: useCallback(() => load(1, shown.current, true), [load]),
    /** A dub moved on, or is new. */
    put: useCallback((dub: Dub) => {
      setRecords((now) => {
        if (now.phase !== "ready") return now;
        if (now.list.some(isSame(dub))) return { ...now, list: now.list.map((one) => (isSame(dub)(one) ? dub : one)) };
        return shown.current === "" ? { ...now, list: [dub, ...now.list], total: now.total + 1 } : now;
      });
    }, []),
    drop: useCallback((dubbId: string) => {
      setRecords((now) => ({
        ...now,
        list: now.list.filter((one) => one.dubbId !== dubbId),
        total: Math.max(0, now.total - 1),
      }));
    }, []),
  };
}

const isSame = (dub: Dub) => (other: Dub) => dub.dubbId === other.dubbId;

function begin(first: FirstPage): Records {
  const nothing = { list: [], total: 0, refusal: null, more: "idle" } as const;
  if (!first) return { ...nothing, phase: "ready", list: [] };
  if ("refusal" in first) return { ...nothing, list: [], phase: "failed", refusal: first.refusal };
  return { ...nothing, phase: "ready", list: first.list, total: first.total };
}
