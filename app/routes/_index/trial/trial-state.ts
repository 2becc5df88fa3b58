import type { Refusal } from "~/call";
import type { PlayerTrack } from "~/features/player/provider";
import type { Reference, ReferenceSource } from "~/features/reference/reference";
import type { TrialStep } from "~/features/tasks/trial-call";
import type { TrialProgress } from "~server/bff/trials.server";
import type { EntitlementReason } from "~server/contract/codes";

export type VoiceSource = ReferenceSource | "sample";

export interface TrialVoice {
  source: VoiceSource;
  /** One reference per source, so that switching the source loses nothing. */
  references: Record<ReferenceSource, Reference | null>;
  roleId: string | null;
}

export type Problem = { where: "voice" | "text"; sentence: string };

export interface TrialRequest {
  content: string;
  voiceName: string;
  /** Path of the visitor's recording; undefined for a public voice. */
  voicePath?: string | undefined;
  /** The public voice. */
  roleId?: string | undefined;
}

export interface FinishedTrial {
  phase: "done";
  request: TrialRequest;
  result: TrialProgress;
}

export type TrialState =
  | { phase: "idle" }
  | { phase: "uploading" }
  | { phase: "running"; request: TrialRequest; progress: TrialStep | null }
  | FinishedTrial
  | { phase: "failed"; refusal: Refusal };

export interface TrialOptions {
  onUploaded(reference: Reference): void;
  /** The number of used trials changed; `max` is the upstream's own limit. */
  onCounted(used: number, max: number): void;
  /** A call was refused; not called if the trial itself failed. */
  onRefused(sentence: string, reason: EntitlementReason | null): void;
  onLoginExpired(): void;
  /** Not called for a result restored after a reload. */
  onDone(track: PlayerTrack): void;
  /** Recordings are sent to vendors. */
  hasVendors: boolean;
  /** The upstream has task events. */
  hasEvents: boolean;
}

/** The last trial of this tab. */
export interface TrialDraft {
  taskId: string;
  wanted: TrialRequest;
}
