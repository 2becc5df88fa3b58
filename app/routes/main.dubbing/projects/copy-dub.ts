import { bffPaths, call } from "~/call";
import { writeStoredValue } from "~/features/draft/draft";
import type { Dub } from "~server/bff/generations.server";
import { isBlank, lineKeyOf } from "../editor/script";
import { type Draft, newRevision, toScript } from "../stored-draft";
import { draftKeyOf, recordProject } from "./current";

/** Stores the script of a dub as a project with the dub's id; null if there is no such dub or it has no text. */
export async function copyDub(dubbId: string): Promise<string | null> {
  const { dub } = await call<{ dub: Dub | null }>(bffPaths.dub(dubbId));
  if (!dub) return null;
  const { script, speakers } = toScript(dub);
  if (script.lines.every(isBlank)) return null;
  const draft: Draft = {
    revision: newRevision(),
    script,
    speakers,
    made: soundsOf(dub, script.lines),
    takes: [],
    dubbId,
  };
  await writeStoredValue(draftKeyOf(dubbId), draft);
  await recordProject(dubbId, script);
  return dubbId;
}

/** The sounds of its finished lines. */
const soundsOf = ({ dubbId, lines }: Dub, written: Draft["script"]["lines"]): Draft["made"] =>
  written.flatMap((line, index): Draft["made"] => {
    const { voiceUrl = "", timelineUrl = "", duration: seconds = 0 } = lines[index] ?? {};
    return voiceUrl ? [[lineKeyOf(line), { dubbId, voiceUrl, timelineUrl, seconds }]] : [];
  });
