import type { ColumnType, Generated } from "kysely";

type JobState = "ready" | "active" | "done" | "failed" | "cancelled";

export interface JobTable {
  id: Generated<string>;
  /** Which handler does it. */
  kind: string;
  /** Which workers take it; "" where any of its kind may. */
  lane: Generated<string>;
  /** One live job per kind and key. */
  key: string | null;
  payload: ColumnType<unknown, string, never>;
  priority: Generated<number>;
  state: Generated<JobState>;
  attempt: Generated<number>;
  max_attempts: Generated<number>;
  run_at: Generated<Date>;
  /** Drawn anew by every claim: only its holder may renew, finish or fail the job. */
  lease: string | null;
  lease_until: Date | null;
  cancel_asked: Generated<boolean>;
  /** The request that it was enqueued for, where there was one. */
  request_id: string | null;
  error: string | null;
  seq: Generated<string>;
  finished_at: Date | null;
}

/** What was told of a task. */
export interface TaskEventTable {
  id: Generated<string>;
  /** Its place in the order in which events became visible; null until somebody looked. */
  number: string | null;
  /** `account:<id>` or `visitor:<id>`. */
  owner: string;
  data: ColumnType<unknown, string, never>;
  created_at: Generated<Date>;
}

export interface TrialTable {
  id: Generated<string>;
  /** `account:<id>` or `visitor:<id>`. */
  owner: string;
  /** False for a member's: it took no trial and gives none back. */
  is_counted: Generated<boolean>;
  address: string;
  /** Day in Asia/Shanghai that the address' share was taken from, `YYYY-MM-DD`; "" where none was. */
  day: string;
  content: string;
  transcript: string | null;
  recording_id: string | null;
  role_id: string | null;
  /** 1 running, 2 done, 3 failed. */
  status: Generated<1 | 2 | 3>;
  seg_done: Generated<number>;
  seg_total: Generated<number>;
  /** ErrorCode of a failed one. */
  msg: string | null;
  job_id: string | null;
  rendition_id: string | null;
  created_at: Generated<Date>;
  settled_at: Date | null;
}

/** A trial that a generation of an account without a tier holds until it ends. */
export interface TrialHoldTable {
  task_id: string;
  account_id: string;
  created_at: Generated<Date>;
}

/** Trials taken, failed ones given back: scope is `account:<id>`, `visitor:<id>`, `phone:<hash>`, or `address:<address>:<day>`. */
export interface TrialAllowanceTable {
  scope: string;
  used: number;
  expires_at: Date | null;
}

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
  ext: ColumnType<unknown, string | null, string | null>;
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

/** A word an account has read its own way. */
export interface DictionaryWordTable {
  account_id: string;
  word: string;
  /** Syllables with tone digits, separated by spaces. */
  pinyin: string;
  created_at: Generated<Date>;
}

/** A few characters somebody listened to while writing. */
export interface ScriptSampleTable {
  rendition_id: string;
  expires_at: Date;
}

export interface GenerationTables {
  job: JobTable;
  task_event: TaskEventTable;
  trial: TrialTable;
  trial_hold: TrialHoldTable;
  trial_allowance: TrialAllowanceTable;
  clone: CloneTable;
  dub: DubTable;
  dub_line: DubLineTable;
  dictionary_word: DictionaryWordTable;
  script_sample: ScriptSampleTable;
}
