/** How far a line is, for its right end. */
export type LineState =
  /** Listening to it makes it first. */
  | { kind: "unmade" }
  | { kind: "made"; seconds: number; overrunMs: number }
  /** `share` 0–1; null where nobody knows. */
  | { kind: "running"; share: number | null }
  /** Lines before it. */
  | { kind: "waiting"; before: number }
  | { kind: "failed"; sentence: string };

/** What the player does with the line. */
export type LineSound = "silent" | "loading" | "playing";

/** Somebody who speaks, as a line shows them. */
export interface Speaker {
  roleId: string;
  name: string;
  avatar: string;
  portrait: unknown;
}
