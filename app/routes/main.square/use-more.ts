import { useLocation } from "@remix-run/react";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { type Filter, filterQuery, pageSize } from "~/features/square/filter";
import type { SquareHuman } from "~server/bff/roles.server";
import { keepPages, noPages, readKept, readMore, together } from "./more";

interface FirstPage {
  filter: Filter;
  humans: readonly SquareHuman[];
  total: number;
}

/**
 * The address's page and those loaded after it. What was loaded is kept with its place in the history, so that the way
 * back, and a reload, find the list as long as it was and the page where it was scrolled to.
 */
export function useMore({ filter, humans: first, total: firstTotal }: FirstPage) {
  const { key, search } = useLocation();
  const place = key + search;
  const isHydrated = useHydrated();
  const [pages, setPages] = useState(() => (isHydrated ? readKept(place) : null) ?? noPages);
  const [total, setTotal] = useState(firstTotal);
  const [status, setStatus] = useState<"idle" | "loading" | "failed">("idle");
  const gone = useRef(new AbortController());
  const next = filter.page + pages.loaded + 1;
  const hasMore = next <= Math.ceil(total / pageSize);

  useAfterReload(place, pages, setPages);
  useKeeping(place, pages);
  useEffect(() => {
    const controller = new AbortController();
    gone.current = controller;
    return () => controller.abort();
  }, []);

  const more = useCallback(async () => {
    setStatus("loading");
    const { signal } = gone.current;
    const answer = await readMore(filterQuery(filter, { page: next }), signal);
    if (signal.aborted) return;
    setStatus(answer ? "idle" : "failed");
    if (!answer) return;
    setTotal(answer.total);
    setPages((now) => ({ humans: [...now.humans, ...answer.humans], loaded: now.loaded + 1 }));
  }, [filter, next]);

  return { humans: together(first, pages), total, next, hasMore, status, more };
}

type Pages = typeof noPages;

/** The server's page came without what had been loaded after it. */
function useAfterReload(place: string, { loaded }: Pages, setPages: (pages: Pages) => void) {
  const isHydrated = useRef(useHydrated());
  const top = useRef<number | null>(null);
  useEffect(() => {
    if (isHydrated.current) return;
    const kept = readKept(place);
    if (!kept?.loaded) return;
    top.current = kept.top;
    setPages({ humans: kept.humans, loaded: kept.loaded });
  }, [place, setPages]);
  useLayoutEffect(() => {
    // Not before the list is as long as it was.
    if (top.current === null || loaded === 0) return;
    window.scrollTo(0, top.current);
    top.current = null;
  }, [loaded]);
}

function useKeeping(place: string, pages: Pages) {
  const latest = useRef(pages);
  latest.current = pages;
  const keep = useCallback(() => {
    const { humans, loaded } = latest.current;
    if (loaded > 0) keepPages({ place, humans, loaded, top: window.scrollY });
  }, [place]);
  useEffect(() => {
    if (pages.loaded > 0) keep();
  }, [pages, keep]);
  useEffect(() => {
    window.addEventListener("pagehide", keep);
    return () => window.removeEventListener("pagehide", keep);
  }, [keep]);
}
