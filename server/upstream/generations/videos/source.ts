import type { CallRequest } from "~server/contract/calls/table";
import { fileIdOf } from "~server/contract/file-address";
import { videoMaxMinutes } from "~server/contract/limits";
import type { Timeline } from "../../../speech/engine";
import type { Db } from "../../db/database";
import type { Download } from "../../db/tables/voices";
import { AppError } from "../../errors";
import type { Owner } from "../../owner";
import { toUuids } from "../../sql-fragments";
import { findDone, toSpokenLine } from "../dubs/list";
import type { DubMusic } from "../dubs/music";
import { type Cue, type SpokenLine, toCues } from "../dubs/subtitles/cues";
import { displayText } from "../dubs/subtitles/display-text";

export type SourceRequest = CallRequest<"videoCreate">["source"];

interface VideoSound {
  play_url: string;
  timeline_url: string | null;
  duration_ms: number;
  downloads: Download[];
}

interface SourceLine extends SpokenLine {
  /** Null where the voice is a recording's. */
  roleId: string | null;
  portrait: unknown;
  avatarId: string | null;
}

/** A finished sound that a film can be made of. */
export interface VideoSource {
  title: string;
  lines: SourceLine[];
  /** The file with the best quality; not every sound has one with the audible mark. */
  soundFileId: string;
  soundFormat: string;
  timelineFileId: string;
  durationMs: number;
  /** Decides how people move. */
  seed: string;
  /** Contains sound that was not made here. */
  hasForeignSound: boolean;
}

const missing = () => new AppError("not-found", "no such finished sound", { status: 404 });
const titleMax = 20;
const toTitle = (text: string) => {
  const characters = [...text];
  return characters.length > titleMax ? `${characters.slice(0, titleMax - 1).join("")}…` : text;
};

/**
 * The owner's finished clone or dub, or the preview of a role that the owner may use. Throws not-found,
 * video-timeline-missing and video-too-long.
 */
export async function getSource(db: Db, owner: Owner, { kind, id }: SourceRequest): Promise<VideoSource> {
  if (kind === "clone") return ofClone(db, owner, id);
  return kind === "dub" ? ofDub(db, owner, id) : ofPreview(db, owner, id);
}

const soundColumns = ["play_url", "timeline_url", "rendition.duration_ms", "downloads"] as const;

async function ofClone(db: Db, owner: Owner, cloneId: string): Promise<VideoSource> {
  const [id] = toUuids([cloneId]);
  const row = await db
    .selectFrom("clone")
    .innerJoin("rendition", "rendition.id", "clone.rendition_id")
    .leftJoin("role", (join) =>
      join
        .onRef("role.id", "=", "clone.role_id")
        .on((eb) => eb.or([eb("role.owner", "=", eb.ref("clone.owner")), eb("role.is_shown", "=", true)])),
    )
    .select([...soundColumns, "content", "role_id", "role.name", "portrait", "avatar_id"])
    .where("clone.id", "=", id ?? null)
    .where("clone.owner", "=", owner)
    .where("clone.status", "=", 2)
    .executeTakeFirst();
  if (!row) throw missing();
  return toSource(row, toTitle(displayText(row.content)), [toOnlyLine({ ...row, roleId: row.role_id })]);
}

async function ofPreview(db: Db, owner: Owner, roleId: string): Promise<VideoSource> {
  const row = await db
    .selectFrom("role")
    .innerJoin("rendition", "rendition.id", "role.preview_id")
    .select([...soundColumns, "role.id as roleId", "preview_text as content", "name", "portrait", "avatar_id"])
    .where("role.id", "=", roleId)
    .where("role.status", "=", 2)
    .where((eb) => eb.or([eb("role.owner", "=", owner), eb("is_shown", "=", true)]))
    .executeTakeFirst();
  if (!row) throw missing();
  return toSource(row, row.name, [toOnlyLine(row)]);
}

async function ofDub(db: Db, owner: Owner, dubId: string): Promise<VideoSource> {
  const dub = await findDone(db, owner, dubId);
  if (!dub) throw missing();
  const title = dub.title || toTitle(displayText(dub.lines[0]?.content ?? ""));
  const lines = dub.lines.map((line) => ({
    ...toSpokenLine(line),
    roleId: line.role_id,
    portrait: line.portrait,
    avatarId: line.avatar_id,
  }));
  return { ...toSource(dub, title, lines), hasForeignSound: (dub.music as DubMusic | null)?.track === "own" };
}

interface OnlyLine extends VideoSound {
  content: string;
  name: string | null;
  roleId: string | null;
  portrait: unknown;
  avatar_id: string | null;
}

const toOnlyLine = ({ content, name, roleId, portrait, avatar_id, duration_ms }: OnlyLine): SourceLine => ({
  content,
  name: name ?? "",
  beginsMs: 0,
  durationMs: duration_ms,
  startMs: null,
  endMs: null,
  overrunMs: 0,
  roleId,
  portrait,
  avatarId: avatar_id,
});

function toSource(
  { play_url, timeline_url, duration_ms, downloads }: VideoSound,
  title: string,
  lines: SourceLine[],
): VideoSource {
  if (!timeline_url) throw new AppError("video-timeline-missing", "an engine without a timeline spoke it");
  const limit = videoMaxMinutes * 60;
  if (duration_ms > limit * 1000)
    throw new AppError("video-too-long", "more than a film holds", {
      data: { need: Math.ceil(duration_ms / 1000), limit },
    });
  const lossless = downloads.find(({ format }) => format === "wav")?.url ?? play_url;
  const [soundFileId, timelineFileId] = [fileIdOf(lossless), fileIdOf(timeline_url)];
  if (!soundFileId || !timelineFileId) throw missing();
  const soundFormat = lossless.endsWith(".wav") ? "wav" : "mp3";
  const files = { soundFileId, soundFormat, timelineFileId };
  return { title, lines, ...files, durationMs: duration_ms, seed: soundFileId, hasForeignSound: false };
}

/** The roles that are seen or heard, each once. */
export const roleIdsOf = ({ lines }: VideoSource): string[] => [
  ...new Set(lines.flatMap(({ roleId }) => (roleId === null ? [] : [roleId]))),
];

/** Turns of the speakers: each role is one person, in the order of first lines. */
export function toTurns({ lines, durationMs }: VideoSource) {
  const speakers = [...new Set(lines.map(({ roleId }) => roleId ?? ""))];
  const turns = lines.map(({ content, roleId, beginsMs, durationMs: ownMs }) => ({
    start: beginsMs,
    end: Math.min(beginsMs + ownMs, durationMs),
    person: speakers.indexOf(roleId ?? ""),
    text: content,
  }));
  const people = speakers.map((speaker) => lines.find(({ roleId }) => (roleId ?? "") === speaker) as SourceLine);
  return { turns, people };
}

export const cuesOf = ({ lines }: VideoSource, timeline: Timeline): Cue[] =>
  toCues(
    lines,
    timeline.units.map((unit) => ({ ...unit, line: unit.line ?? 0 })),
  );
