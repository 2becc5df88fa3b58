import type { ColumnType, Generated } from "kysely";

/** A text as a role or a recording spoke it for its owner. */
export interface CloneTable {
  id: Generated<string>;
  /** `account:<id>`. */
  owner: string;
  content: string;
  /** What the recording says. */
  transcript: string | null;
  /** The voice, where no role was chosen; null as well when it is gone. */
  recording_id: string | null;
  role_id: string | null;
  style: string;
  speed: number;
  /** Semitones. */
  pitch: number | null;
  /** Decibels. */
  volume: number | null;
  /** 0 as the voice speaks · 1 like the tone recording · 2 by the weights. */
  genre: number;
  /** Weights of feeling, 0–1 by name. */
  ext: ColumnType<Record<string, number> | null, string | null, string | null>;
  /** The recording that lends its tone. */
  tone_id: string | null;
  /** What it costs a member. */
  characters: number;
  /** 1 running, 2 done, 3 failed. */
  status: Generated<1 | 2 | 3>;
  seg_done: Generated<number>;
  seg_total: Generated<number>;
  /** ErrorCode of a failed one. */
  msg: string | null;
  /** Segment that could not be spoken, from 0. */
  failed_at: number | null;
  /** How often it was started: the job of the newest turn alone may write. */
  turn: Generated<number>;
  job_id: string | null;
  rendition_id: string | null;
  created_at: Generated<Date>;
  settled_at: Date | null;
}
