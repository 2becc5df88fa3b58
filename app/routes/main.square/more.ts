import { bffPaths } from "~/bff-paths";
import type { SquareHuman } from "~server/bff/roles.server";

export interface Pages {
  /** Those after the address's own page. */
  humans: SquareHuman[];
  /** How many pages they came from. */
  loaded: number;
}

export const noPages: Pages = { humans: [], loaded: 0 };

/** The first page and what came after, each human once: between two answers the order may have moved. */
export function together(first: readonly SquareHuman[], { humans }: Pages): SquareHuman[] {
  const byId = new Map([...first, ...humans].map((human) => [human.roleId, human]));
  return [...byId.values()];
}

/** A further page; null when it cannot be had. */
export async function readMore(query: string, signal: AbortSignal) {
  const response = await fetch(bffPaths.squareMore(query), { signal }).catch(() => null);
  if (!response?.ok) return null;
  return (await response.json().catch(() => null)) as { humans: SquareHuman[]; total: number } | null;
}

interface Kept extends Pages {
  place: string;
  /** Where the page was scrolled to when it was left. */
  top: number;
}

const storageKey = "square-pages";
const keptPlaces = 5;

function readAll(): Kept[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** What was loaded at a place of the history, in this tab. */
export const readKept = (place: string): Kept | null => readAll().find((kept) => kept.place === place) ?? null;

/** For the way back; the latest few places, as much as the storage takes. */
export function keepPages(kept: Kept) {
  const others = readAll().filter(({ place }) => place !== kept.place);
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([kept, ...others].slice(0, keptPlaces)));
  } catch {}
}
