import { useCallback, useEffect, useRef, useState } from "react";
import type { Dub, DubPage } from "~server/bff/generations.server";
import type { Refusal } from "~server/bff/refusal.server";
import { dubClient, Refused } from "../dub-client";
import { isSame, type Records, withDub } from "./dub-list";

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
      setRecords((now) => (now.phase === "ready" ? withDub(now, dub, shown.current !== "") : now));
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

function begin(first: FirstPage): Records {
  const nothing = { list: [], total: 0, refusal: null, more: "idle" } as const;
  if (!first) return { ...nothing, phase: "ready", list: [] };
  if ("refusal" in first) return { ...nothing, list: [], phase: "failed", refusal: first.refusal };
  return { ...nothing, phase: "ready", list: first.list, total: first.total };
}
