import type { ColumnType, Generated } from "kysely";

type Json = ColumnType<unknown, string | null, string | null>;

export interface DubTable {
  id: Generated<string>;
  /** `account:<id>`. */
  owner: string;
  title: string;
  format: "mp3" | "wav" | null;
  /** Made to be listened to while writing: not among the records, and gone after a week. */
  is_take: boolean;
  /** Which run of it this is: a job of an earlier one writes nothing. */
  turn: Generated<number>;
  /** 1 running, 2 done, 3 failed. */
  status: Generated<1 | 2 | 3>;
  seg_done: Generated<number>;
  seg_total: Generated<number>;
  /** Characters that were to be paid for. */
  cost_char: number;
  /** ErrorCode of a failed one. */
  msg: string | null;
  /** The line it failed at, from 0. */
  failed_at: number | null;
  job_id: string | null;
  rendition_id: string | null;
  created_at: Generated<Date>;
  settled_at: Date | null;
}

export interface DubLineTable {
  dub_id: string;
  /** From 0. */
  number: number;
  role_id: string;
  content: string;
  speed: number;
  pitch: number | null;
  volume: number | null;
  genre: number;
  ext: Json;
  /** The recording that lends its tone. */
  tone_id: string | null;
  /** Seconds; 0 leaves it to us. */
  pause_after: number;
  /** The subtitle's place. */
  start_ms: number | null;
  end_ms: number | null;
  /** Hash of what server/contract/lines.ts says: what was paid for. */
  line_key: string;
  /** Segments it is spoken in. */
  segments: Generated<number>;
  status: Generated<1 | 2 | 3>;
  /** Everything that decides how it sounds but its speed, which a subtitle's place may raise. */
  sound_key: string | null;
  spoken_speed: number | null;
  /** How long it sounds at the speed asked for. */
  natural_ms: number | null;
  samples: number | null;
  sample_rate: number | null;
  /** Where it starts in the whole dub; null until all before it are done. */
  begins_ms: number | null;
  overrun_ms: Generated<number>;
  /** Lines that sound the same share one. */
  rendition_id: string | null;
}
