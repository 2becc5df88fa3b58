import { readKept } from "~/features/draft/draft";
import type { Voice } from "~server/bff/roles.server";
import { createLine, isBlank } from "../editor/script";
import { type Draft, draftKey, parseDraft } from "./draft";

/** What this browser kept, or an empty script; with a line for the role the address asks for. */
export async function openDraft(voices: readonly Voice[], role: Voice | null): Promise<Draft> {
  const kept = parseDraft(await readKept(draftKey)) ?? emptyDraft(voices[0]?.roleId ?? "");
  if (!role) return kept;
  const { lines } = kept.script;
  const last = lines[lines.length - 1];
  const isLastBlank = last !== undefined && isBlank(last);
  const next = isLastBlank
    ? [...lines.slice(0, -1), { ...last, roleId: role.roleId }]
    : [...lines, createLine({ roleId: role.roleId })];
  return { ...kept, script: { ...kept.script, lines: next }, speakers: [...kept.speakers, role] };
}

const emptyDraft = (roleId: string): Draft => ({
  revision: "",
  script: { title: "", lines: [createLine({ roleId })] },
  speakers: [],
  made: [],
  dubbId: null,
});
