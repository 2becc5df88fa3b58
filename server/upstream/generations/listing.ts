import { convertedFormats, type Doubt } from "~server/contract/calls/tasks";
import { fileAddressOf, fileIdOf } from "~server/contract/file-address";
import type { Db } from "../db/database";
import type { Download } from "../db/tables/voices";
import type { Queue } from "../jobs/queue";
import type { TaskStatus } from "../task-status";

export interface ListParts {
  db: Db;
  queue: Pick<Queue, "position">;
}

interface Progress {
  status: TaskStatus;
  seg_done: number;
  seg_total: number;
}

/** 0–1: a share before the segments, one for the segments, and the rest for encoding. */
const progressBy =
  (before: number, segments: number) =>
  ({ status, seg_done, seg_total }: Progress): number => {
    if (status === 2) return 1;
    return seg_total === 0 ? 0 : before + (segments * seg_done) / seg_total;
  };

/** A tenth for learning the voice and a tenth for encoding. */
export const cloneProgress = progressBy(0.1, 0.8);
/** A tenth for mixing the lines. */
export const dubProgress = progressBy(0, 0.9);

/** For reading the sound, and for muxing and labelling. */
export const videoProgress = progressBy(0.02, 0.94);

interface TaskRow extends Progress {
  id: string;
  msg: string | null;
  failed_at?: number | null;
  job_id: string | null;
}

/** The task's state as every listing answers it. */
export async function toTaskFields(row: TaskRow, progress: number, { db, queue }: ListParts) {
  const { id, status, seg_done: segDone, seg_total: segTotal, msg, failed_at: failedAt = null, job_id } = row;
  const queuePos = status === 1 && job_id ? await queue.position(db, job_id) : 0;
  const failure = { ...(msg !== null && { reason: msg }), ...(failedAt !== null && { failedAt }) };
  return { taskId: id, status, progress, segDone, segTotal, queuePos, msg: msg ?? "", ...failure };
}

export const soundColumns = ["play_url", "timeline_url", "duration_ms", "downloads", "doubts"] as const;

/** A rendition's columns, all null if there is none. */
interface SoundRow {
  play_url: string | null;
  timeline_url: string | null;
  duration_ms: number | null;
  downloads: Download[] | null;
  doubts: unknown;
}

/** Duration in seconds. */
export const toSoundFields = ({ play_url, timeline_url, duration_ms, downloads, doubts }: SoundRow) => ({
  voiceUrl: play_url ?? "",
  timelineUrl: timeline_url ?? "",
  downloads: toDownloads(play_url, downloads ?? []),
  ...toDoubts(doubts),
  duration: (duration_ms ?? 0) / 1000,
});

/** The files that there are, and those that are encoded when they are asked for: as the file to play in that format. */
function toDownloads(playUrl: string | null, kept: Download[]): Download[] {
  const playId = fileIdOf(playUrl ?? "");
  const downloads = kept.map((file) => ({ ...file, hasMark: file.hasMark ?? true }));
  const find = (wanted: string) => downloads.find(({ format }) => format === wanted);
  const wav = find("wav");
  if (!playId || !wav) return downloads;
  const others = downloads.filter(({ format }) => !convertedFormats.some((one) => one === format));
  return [
    ...others,
    ...convertedFormats.map(
      (format) => find(format) ?? { format, url: fileAddressOf(playId, format), hasMark: wav.hasMark },
    ),
  ];
}

/** Words that the self-check heard wrong, where there are any. */
export const toDoubts = (doubts: unknown): { doubts?: Doubt[] } =>
  Array.isArray(doubts) && doubts.length > 0 ? { doubts: doubts as Doubt[] } : {};
