import type { ColumnType, Generated } from "kysely";
import type { RepeatableColumns } from "./generations";

/** Dubs, videos, and pages that show a result. */
export interface DubTables {
  dub: RepeatableColumns & {
    id: Generated<string>;
    /** `account:<id>`. */
    owner: string;
    title: string;
    format: "mp3" | "wav" | null;
    /** Music under the speech as JSON; null without music. */
    music: ColumnType<unknown, string | null, string | null>;
    /** The chapter of a book that it speaks, as JSON; null for others. */
    chapter: ColumnType<unknown, string | null, never>;
    /** A preview while writing: not listed, and deleted after a week. */
    is_take: boolean;
    /** The first of its versions, which may be deleted by now; null without earlier ones. */
    version_of: string | null;
    /** The price in characters. */
    cost_char: number;
  };

  dub_line: {
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
    /** The tone recording. */
    tone_id: string | null;
    /** Seconds; 0 chooses a natural pause. */
    pause_after: number;
    /** The subtitle's interval. */
    start_ms: number | null;
    end_ms: number | null;
    /** The factor by which it may be spoken faster to end in time; null for the usual one. */
    speed_up_max: number | null;
    /** Hash of the paid properties in server/contract/lines.ts. */
    line_key: string;
    /** Number of its segments. */
    segments: Generated<number>;
    status: Generated<1 | 2 | 3>;
    /** Hash of everything that decides the sound except the speed, which a subtitle's interval may raise. */
    sound_key: string | null;
    spoken_speed: number | null;
    /** Duration at the requested speed. */
    natural_ms: number | null;
    samples: number | null;
    sample_rate: number | null;
    /** Start within the dub; null until all lines before it are done. */
    begins_ms: number | null;
    overrun_ms: Generated<number>;
    /** Shared by lines with the same sound. */
    rendition_id: string | null;
  };

  /** A video of a finished sound. */
  video: RepeatableColumns & {
    id: Generated<string>;
    /** `account:<id>`. */
    owner: string;
    source_kind: "clone" | "dub" | "preview";
    source_id: string;
    /** The roles that are seen and heard, to delete their videos with them. */
    role_ids: string[];
    title: string;
    size: "9:16" | "1:1" | "16:9";
    /** Height of the shorter side, in pixels. */
    height: number;
    format: "mp4" | "webm";
    captions: "burnt" | "file" | "none";
    background: string;
    /** A `VideoStyle`, and `FilmPage`s, as JSON. */
    style: ColumnType<unknown, string, never>;
    pages: ColumnType<unknown, string, never>;
    /** Subtitles as SRT text, and characters that could not be drawn. */
    srt: Generated<string>;
    missing: Generated<string>;
  };

  /** Choices for videos that an account saved under a name. */
  video_template: {
    account_id: string;
    name: string;
    choices: ColumnType<unknown, string, string>;
    created_at: Generated<Date>;
  };

  /** A video of a month, counted until it fails or is cancelled; deleting the video does not give it back. */
  video_use: {
    task_id: string;
    account_id: string;
    /** Month in Asia/Shanghai, `YYYY-MM`. */
    month: string;
  };

  /** A result's public page. */
  share: {
    /** Random; the page's address. */
    id: string;
    /** `account:<id>` or `visitor:<id>`; the result's owner. */
    owner: string;
    kind: "clone" | "dub" | "trial" | "video";
    work_id: string;
    /** Search engines may list the page. */
    is_listed: Generated<boolean>;
    /** Hidden after reports of three people. */
    is_hidden: Generated<boolean>;
    created_at: Generated<Date>;
    revoked_at: Date | null;
  };

  /** A report about a shared page; one row per page and reporter. */
  share_report: {
    share_id: string;
    /** `account:<id>`, or `address:<address>` of a visitor. */
    reporter: string;
    reason: string;
    created_at: Generated<Date>;
  };
}
