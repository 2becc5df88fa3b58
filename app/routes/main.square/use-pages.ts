import { useLocation } from "@remix-run/react";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { bffPaths, call, type Refusal, refusalOf } from "~/call";
import type { SquareHuman } from "~/features/portrait/picture";
import { filterQuery, pageSize, type SquareFilter } from "~/features/square/filter";
import { createSavedValue, owned } from "~/ui/store";
import type { RowCount } from "~server/bff/upstream-request.server";

export interface FirstPage extends RowCount {
  filter: SquareFilter;
  humans: readonly SquareHuman[];
}

/** The humans of the pages loaded after the first one. */
interface Pages {
  humans: SquareHuman[];
  loaded: number;
}

export type PagesStatus = "idle" | "loading" | Refusal;
const noPages: Pages = { humans: [], loaded: 0 };

/**
 * The page of the URL and the pages loaded after it. These are saved per history entry, so that going back or reloading
 * restores the list and the scroll position.
 */
export function usePages({ filter, humans: first, ...firstCount }: FirstPage) {
  const { key, search } = useLocation();
  const entry = key + search;
  const isHydrated = useHydrated();
  const [pages, setPages] = useState(() => (isHydrated ? findSaved(entry) : null) ?? noPages);
  const [{ total, isUncounted }, setCount] = useState<RowCount>(firstCount);
  const [status, setStatus] = useState<PagesStatus>("idle");
  const unmounted = useRef(new AbortController());
  const next = filter.page + pages.loaded + 1;
  const hasMore = next <= Math.ceil(total / pageSize);

  useRestoreAfterReload(entry, pages, setPages);
  useSave(entry, pages);
  useEffect(() => {
    const controller = new AbortController();
    unmounted.current = controller;
    return () => controller.abort();
  }, []);

  const more = useCallback(async () => {
    setStatus("loading");
    const { signal } = unmounted.current;
    const path = bffPaths.squareMore(filterQuery(filter, { page: next }));
    const page = await call<RowCount & { humans: SquareHuman[] }>(path, { signal }).catch(refusalOf);
    if (signal.aborted) return;
    if ("code" in page) return setStatus(page);
    setStatus("idle");
    setCount(page);
    setPages((now) => ({ humans: [...now.humans, ...page.humans], loaded: now.loaded + 1 }));
  }, [filter, next]);

  return { humans: mergePages(first, pages), total, isUncounted, next, hasMore, status, more };
}

/** All humans, each once: the order may have changed between two responses. */
export function mergePages(first: readonly SquareHuman[], { humans }: Pages): SquareHuman[] {
  const byId = new Map([...first, ...humans].map((human) => [human.roleId, human]));
  return [...byId.values()];
}

/** After a reload the server renders only the first page. */
function useRestoreAfterReload(entry: string, { loaded }: Pages, setPages: (pages: Pages) => void) {
  const isHydrated = useRef(useHydrated());
  const scrollTop = useRef<number | null>(null);
  useEffect(() => {
    if (isHydrated.current) return;
    const saved = findSaved(entry);
    if (!saved?.loaded) return;
    scrollTop.current = saved.top;
    setPages({ humans: saved.humans, loaded: saved.loaded });
  }, [entry, setPages]);
  useLayoutEffect(() => {
    // Scrolls when the list has its former length.
    if (scrollTop.current === null || loaded === 0) return;
    window.scrollTo(0, scrollTop.current);
    scrollTop.current = null;
  }, [loaded]);
}

function useSave(entry: string, pages: Pages) {
  const latest = useRef(pages);
  latest.current = pages;
  const save = useCallback(() => {
    if (latest.current.loaded === 0) return;
    const others = (savedPages.read() ?? []).filter(({ place }) => place !== entry);
    savedPages.write([{ ...latest.current, place: entry, top: window.scrollY }, ...others].slice(0, savedEntries));
  }, [entry]);
  useEffect(() => {
    if (pages.loaded > 0) save();
  }, [pages, save]);
  useEffect(() => {
    window.addEventListener("pagehide", save);
    return () => window.removeEventListener("pagehide", save);
  }, [save]);
}

interface SavedPages extends Pages {
  /** The history entry. */
  place: string;
  /** Scroll position when the page was left. */
  top: number;
}

const savedEntries = 5;
const savedPages = createSavedValue(owned("square-pages"), (json) =>
  Array.isArray(json) ? (json as SavedPages[]) : null,
);

const findSaved = (entry: string) => savedPages.read()?.find(({ place }) => place === entry) ?? null;
