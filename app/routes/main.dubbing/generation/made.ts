import type { Dub } from "~server/bff/generations.server";
import { lineKey } from "~server/contract/lines";
import { keyOf } from "../editor/cost";
import { isBlank, type ScriptLine } from "../editor/script";
import type { LineState } from "../editor/state";

/** A line that can be heard. */
export interface Made {
  dubbId: string;
  voiceUrl: string;
  timelineUrl: string;
  seconds: number;
  overrunMs: number;
}

export type MadeLines = ReadonlyMap<string, Made>;

type Line = Dub["lines"][number];
const numberOfGenre = ({ genre }: Line) => (genre === 1 || genre === 2 ? genre : 0);
export const keyOfMade = (line: Line): string => lineKey({ ...line, genre: numberOfGenre(line) });

/** What is known of finished lines, with those of one more dub. The same map when there is nothing to add. */
export function withMade(made: MadeLines, dub: Dub): MadeLines {
  const fresh = dub.lines.flatMap((line): Array<[string, Made]> => {
    if (line.status !== 2 || !line.voiceUrl) return [];
    const key = keyOfMade(line);
    if (made.get(key)?.voiceUrl === line.voiceUrl) return [];
    const { voiceUrl, timelineUrl, duration: seconds, overrunMs } = line;
    return [[key, { dubbId: dub.dubbId, voiceUrl, timelineUrl, seconds, overrunMs }]];
  });
  return fresh.length === 0 ? made : new Map([...made, ...fresh]);
}

/** The dub with the lines it was made of, where the upstream's list tells none; a single line's file is the dub's. */
export function withKnownLines(dub: Dub, known: Dub["lines"] | undefined): Dub {
  if (dub.lines.length > 0 || !known) return dub;
  const lines = known.map((line) => ({ ...line, status: dub.status }));
  return { ...dub, lines: lines.map((line) => (lines.length === 1 ? { ...line, voiceUrl: dub.voiceUrl } : line)) };
}

export const withoutDub = (made: MadeLines, dubbId: string): MadeLines =>
  new Map([...made].filter(([, line]) => line.dubbId !== dubbId));

/** How far every line of the script is, as these dubs tell; the newest dub comes first. */
export function lineStates(
  lines: readonly ScriptLine[],
  made: MadeLines,
  dubs: readonly Dub[],
  sentenceOf: (dub: Dub) => string,
): Map<string, LineState> {
  const pending = pendingLines(dubs, sentenceOf);
  const states = new Map<string, LineState>();
  for (const line of lines) {
    if (isBlank(line)) continue;
    const key = keyOf(line);
    const known = made.get(key);
    const state: LineState | undefined = known
      ? { kind: "made", seconds: known.seconds, overrunMs: known.overrunMs }
      : pending.get(key);
    if (state) states.set(line.id, state);
  }
  return states;
}

function pendingLines(dubs: readonly Dub[], sentenceOf: (dub: Dub) => string): Map<string, LineState> {
  const pending = new Map<string, LineState>();
  for (const dub of [...dubs].reverse()) {
    if (dub.status === 3) {
      const failed = dub.lines[dub.failedAt ?? -1] ?? dub.lines.find(({ status }) => status === 3);
      if (failed && dub.reason !== "cancelled")
        pending.set(keyOfMade(failed), { kind: "failed", sentence: sentenceOf(dub) });
      continue;
    }
    if (dub.status !== 1) continue;
    const waiting = new Map(dub.lines.filter(({ status }) => status === 1).map((line) => [keyOfMade(line), line]));
    [...waiting].forEach(([key, line], index) => {
      const before = dub.queuePos + index;
      pending.set(key, before === 0 ? { kind: "running", share: shareOf(line) } : { kind: "waiting", before });
    });
  }
  return pending;
}

/** How much of the line that is being made is there; null where it is one segment, which comes as a whole. */
function shareOf({ segDone, segTotal }: Line): number | null {
  return segTotal > 1 ? segDone / segTotal : null;
}
