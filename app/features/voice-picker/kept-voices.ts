import { createSavedValue, createStore, owned } from "~/ui/store";
import type { Voice } from "~server/bff/roles.server";

/** A voice that its person has used or starred. Times are Unix milliseconds, 0 for never. */
export interface KeptVoice {
  voice: Voice;
  usedAt: number;
  isStarred: boolean;
  /** When it was starred, or when the star was taken off. */
  starChangedAt: number;
}

/** Without a star only the last ones are kept. */
const recentMax = 12;
const keptMax = 100;

const isKept = (json: unknown): json is KeptVoice => {
  const { voice, usedAt, isStarred, starChangedAt } = (json ?? {}) as Partial<KeptVoice>;
  const isVoice = typeof voice?.roleId === "string" && typeof voice.name === "string";
  return isVoice && [usedAt, starChangedAt].every(Number.isFinite) && typeof isStarred === "boolean";
};

/** Leaves out what is no kept voice. */
export const parseKept = (json: unknown): KeptVoice[] => (Array.isArray(json) ? json.filter(isKept) : []);

/** Of each voice the later use and the later star; the voice itself as it was used last. */
export function mergeKept(own: readonly KeptVoice[], other: readonly KeptVoice[]): KeptVoice[] {
  const merged = new Map(own.map((one) => [one.voice.roleId, one]));
  for (const one of other) {
    const known = merged.get(one.voice.roleId);
    merged.set(one.voice.roleId, known ? mergeOne(known, one) : one);
  }
  return limitKept([...merged.values()]);
}

function mergeOne(a: KeptVoice, b: KeptVoice): KeptVoice {
  const { voice, usedAt } = b.usedAt > a.usedAt ? b : a;
  const { isStarred, starChangedAt } = b.starChangedAt > a.starChangedAt ? b : a;
  return { voice, usedAt, isStarred, starChangedAt };
}

function limitKept(all: KeptVoice[]): KeptVoice[] {
  const sorted = [...all].sort((a, b) => b.usedAt - a.usedAt || (a.voice.roleId < b.voice.roleId ? -1 : 1));
  const plain = sorted.filter(({ isStarred }) => !isStarred).slice(0, recentMax);
  return sorted.filter((one) => one.isStarred || plain.includes(one)).slice(0, keptMax);
}

const saved = createSavedValue(owned("voices"), parseKept, "local");

/** The kept voices of this browser, the last used first. */
export const keptVoices = createStore<readonly KeptVoice[]>([]);

export const readKeptVoices = () => keptVoices.set(saved.read() ?? []);

function change(voice: Voice, changed: Partial<KeptVoice>): void {
  const all = saved.read() ?? [];
  const known = all.find((one) => one.voice.roleId === voice.roleId);
  // A script knows its roles without their previews.
  const fuller = voice.voiceUrl || !known ? voice : known.voice;
  const next = { usedAt: 0, isStarred: false, starChangedAt: 0, ...known, voice: fuller, ...changed };
  keep(limitKept([next, ...all.filter((one) => one !== known)]));
}

/** Adds the account's kept voices to those of this browser; null if there are none. */
export function mergeIntoKept(account: readonly KeptVoice[]): KeptVoice[] | null {
  const merged = mergeKept(saved.read() ?? [], account);
  return merged.length > 0 ? merged : null;
}

export function keep(all: readonly KeptVoice[]): void {
  saved.write([...all]);
  keptVoices.set(all);
}

/** Kept voices take the names and previews over that a list shows now. */
export function refreshKept(listed: readonly Voice[]): void {
  const all = saved.read() ?? [];
  const fresh = all.map((one) => {
    const voice = listed.find(({ roleId }) => roleId === one.voice.roleId);
    return voice ? { ...one, voice } : one;
  });
  if (JSON.stringify(fresh) !== JSON.stringify(all)) keep(fresh);
}

export const noteUse = (voice: Voice) => change(voice, { usedAt: Date.now() });
export const setStar = (voice: Voice, isStarred: boolean) => change(voice, { isStarred, starChangedAt: Date.now() });
