import { bffPaths } from "~/bff-paths";
import type { Speaker } from "../editor/state";
import { matchNames } from "./parse-script";

const namesSought = 30;
const patienceMs = 20_000;

interface Search {
  /** Visitors have no roles of their own to look among. */
  isLoggedIn: boolean;
  signal: AbortSignal;
  onFound(speaker: Speaker): void;
}

/** Looks for the roles of these names, the first thirty of them; gives back the names about which nothing could be learnt. */
export async function findCast(names: readonly string[], { isLoggedIn, signal, onFound }: Search): Promise<string[]> {
  const patience = new AbortController();
  const giveUp = () => patience.abort();
  const timer = setTimeout(giveUp, patienceMs);
  signal.addEventListener("abort", giveUp);
  const paths = isLoggedIn ? [bffPaths.ownVoices, bffPaths.squareVoices] : [bffPaths.squareVoices];
  const unanswered = await Promise.all(
    names.slice(0, namesSought).map(async (name) => {
      try {
        const found = await findByName(name, paths, patience.signal);
        if (found) onFound(found);
        return [];
      } catch {
        return [name];
      }
    }),
  );
  clearTimeout(timer);
  signal.removeEventListener("abort", giveUp);
  return unanswered.flat();
}

/** A role of exactly that name, of one's own or of the square. Throws when it could not be asked. */
async function findByName(name: string, paths: readonly string[], signal: AbortSignal): Promise<Speaker | null> {
  for (const path of paths) {
    const response = await fetch(`${path}?${new URLSearchParams({ keyword: name })}`, { signal });
    const { voices } = (await response.json()) as { voices?: Speaker[] };
    if (!voices) throw new Error(`${path} answered ${response.status}`);
    const found = voices.find((voice) => matchNames([name], [voice]).size > 0);
    if (found) return found;
  }
  return null;
}
