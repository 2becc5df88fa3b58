import type { Dub } from "~server/bff/generations.server";
import { keyOf } from "./editor/cost";
import { createLine, type Script, type ScriptLine } from "./editor/script";
import type { Speaker } from "./editor/state";
import { keyOfMade } from "./generation/made";

/** A dub's lines as a script to go on with, and those who speak in it. */
export function scriptOf(dub: Dub): { script: Script; speakers: Speaker[] } {
  const lines = dub.lines.map(({ roleId, content, speed, pitch, volume, genre, ext, emotionPath, startMs, endMs }) =>
    createLine({
      ...{ roleId, content, speed, pitch, volume, ext, startMs, endMs },
      genre: genre === 1 || genre === 2 ? genre : 0,
      emotionPath: emotionPath || undefined,
    }),
  );
  const speakers = dub.lines.map(({ roleId, name, avatar, portrait }) => ({ roleId, name, avatar, portrait }));
  const script = { title: dub.title, lines: lines.length > 0 ? lines : [createLine({ roleId: "" })] };
  return { script, speakers: speakers.filter(({ roleId, name }) => roleId && name) };
}

/** Whether a dub says exactly these lines, each in its place. */
export const isScriptOf = (dub: Dub, lines: readonly ScriptLine[]): boolean =>
  dub.lines.length === lines.length &&
  lines.every((line, index) => {
    const said = dub.lines[index];
    return said !== undefined && keyOf(line) === keyOfMade(said) && said.startMs === line.startMs;
  });
