import type { ColumnType, Generated } from "kysely";

type JobState = "ready" | "active" | "done" | "failed" | "cancelled";

/** Columns of a generation that a job runs. */
export interface RunColumns {
  /** 1 running, 2 done, 3 failed. */
  status: Generated<1 | 2 | 3>;
  /** Segments; frames of a video. */
  seg_done: Generated<number>;
  seg_total: Generated<number>;
  /** ErrorCode of a failed one. */
  msg: string | null;
  job_id: string | null;
  rendition_id: string | null;
  created_at: Generated<Date>;
  settled_at: Date | null;
  /** Equal for requests that make the same; null for tasks of earlier versions. */
  fingerprint: string | null;
}

/** Columns of a generation that can run again. */
export interface RepeatableColumns extends RunColumns {
  /** Index of the segment, line or scene that failed. */
  failed_at: number | null;
  /** Number of the newest run; only its job may write. */
  turn: Generated<number>;
}

export interface GenerationTables {
  job: {
    id: Generated<string>;
    /** Selects the handler. */
    kind: string;
    /** Selects the workers; "" for all workers of its kind. */
    lane: Generated<string>;
    /** At most one live job per kind and key. */
    key: string | null;
    payload: ColumnType<unknown, string, never>;
    priority: Generated<number>;
    state: Generated<JobState>;
    attempt: Generated<number>;
    max_attempts: Generated<number>;
    run_at: Generated<Date>;
    /** New for every claim: only its holder may renew or end the job. */
    lease: string | null;
    lease_until: Date | null;
    cancel_asked: Generated<boolean>;
    /** Id of the request that enqueued it. */
    request_id: string | null;
    error: string | null;
    seq: Generated<string>;
    finished_at: Date | null;
  };

  /** An event of a task. */
  task_event: {
    id: Generated<string>;
    /** Position in the order in which events became visible; null until a poll numbers it. */
    number: string | null;
    /** `account:<id>` or `visitor:<id>`. */
    owner: string;
    data: ColumnType<unknown, string, never>;
    created_at: Generated<Date>;
  };

  trial: RunColumns & {
    id: Generated<string>;
    /** `account:<id>` or `visitor:<id>`. */
    owner: string;
    /** False for members, whose trials are not counted. */
    is_counted: Generated<boolean>;
    address: string;
    /** Day in Asia/Shanghai on which the address was charged, `YYYY-MM-DD`; "" if it was not. */
    day: string;
    content: string;
    transcript: string | null;
    recording_id: string | null;
    role_id: string | null;
  };

  /** A trial reserved by a running generation of an account without a tier. */
  trial_hold: {
    task_id: string;
    account_id: string;
    created_at: Generated<Date>;
  };

  /** Used trials. Scope: `account:<id>`, `visitor:<id>`, `phone:<hash>`, or `address:<address>:<day>`. */
  trial_allowance: {
    scope: string;
    used: number;
    expires_at: Date | null;
  };

  /** A text spoken by a role or a recording. */
  clone: RepeatableColumns & {
    id: Generated<string>;
    /** `account:<id>`. */
    owner: string;
    content: string;
    /** The text of the recording. */
    transcript: string | null;
    /** The voice where no role was chosen; null also after its deletion. */
    recording_id: string | null;
    role_id: string | null;
    style: string;
    speed: number;
    /** Semitones. */
    pitch: number | null;
    /** Decibels. */
    volume: number | null;
    /** 0 neutral · 1 in the tone of `tone_id` · 2 by the weights in `ext`. */
    genre: number;
    /** Weights of emotion, 0–1 by name. */
    ext: ColumnType<Record<string, number> | null, string | null, string | null>;
    /** The tone recording. */
    tone_id: string | null;
    /** Its segments are kept for a response that is sent while they are made. */
    is_streamed: Generated<boolean>;
    /** The price for a member. */
    characters: number;
    /** Counts equal clones made before, so that each is another delivery. */
    repetition: Generated<number>;
  };

  /** A word of an account's dictionary. */
  dictionary_word: {
    account_id: string;
    word: string;
    /** Syllables with tone digits, separated by spaces. */
    pinyin: string;
    created_at: Generated<Date>;
  };

  /** A short text spoken as a sample while writing. */
  script_sample: {
    rendition_id: string;
    expires_at: Date;
  };

  /** An engine of a process that speaks; written again while the process runs. */
  engine_report: {
    /** Host and process id. */
    process: string;
    engine: string;
    /** The process's role. */
    role: string;
    state: "speaking" | "resting";
    /** When it came into this state. */
    since: Date;
    seen_at: Generated<Date>;
  };
}
