import { bffPaths, call, createIdempotentCall } from "~/call";
import type { Dub, DubPage } from "~server/bff/generations.server";
import type { Polyphone } from "./editor/pieces";

/** The cost of generating a script now. */
export interface Quote {
  costChar: number;
  /** Indexes of the lines that are charged. */
  changed: number[];
  tier: "vip" | "svip" | null;
  limit: number;
  /** Null if the upstream does not say. */
  left: number | null;
}

/** A line in the shape of the calls. */
export interface DubLine {
  roleId: string;
  content: string;
  speed: number;
  genre: number;
}

interface NewDub {
  title: string;
  lines: DubLine[];
  /** A take generates lines for listening; it is not listed among the account's dubs. */
  isTake: boolean;
}

const requestDub = createIdempotentCall<NewDub, { dub: Dub | null }>(bffPaths.dubs);

/** Generates a dub, charged once however often it is sent. Null if it is not listed yet. Throws `Refused`. */
export const createDub = async (dub: NewDub) => (await requestDub(dub)).dub;

export const quoteDub = (lines: DubLine[], signal: AbortSignal) =>
  call<Quote>(bffPaths.dubQuote, { body: { lines }, signal });

/** Null for an unknown dub. Throws `Refused`. */
export const findDub = async (taskId: string) => (await call<{ dub: Dub | null }>(bffPaths.dub(taskId))).dub;

export const listDubs = (page: number, keyword: string) =>
  call<DubPage>(`${bffPaths.dubs}?${new URLSearchParams({ page: String(page), keyword })}`);

export const deleteDub = (dubbId: string) => call(bffPaths.dubs, { method: "DELETE", body: { dubbId } });

export const changeTask = (taskId: string, act: "cancel" | "retry") => call(bffPaths.tasks, { body: { taskId, act } });

/** The URL of a short sample. Throws `Refused`. */
export const createSample = async (content: string, roleId: string) =>
  (await call<{ sample: { voiceUrl: string } }>(bffPaths.samples, { body: { content, roleId } })).sample.voiceUrl;

/** Saves a word's reading in the account's dictionary. Throws `Refused`. */
export const saveWord = (word: string, pinyin: string) => call(bffPaths.dictionary, { body: { word, pinyin } });

/** Null if the call fails. */
export const findPolyphones = (content: string): Promise<Polyphone[] | null> =>
  call<{ list: Polyphone[] }>(bffPaths.readings, { body: { content } }).then(
    ({ list }) => list,
    () => null,
  );
