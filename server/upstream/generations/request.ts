import { createHash } from "node:crypto";
import { AppError } from "../errors";
import type { Owner } from "../owner";
import { stableJson } from "../stable-json";
import type { Recordings } from "../voices/recordings";
import type { UsableRoles } from "../voices/usable-roles";

/** How a task was asked for. */
export interface TaskOrigin {
  idempotencyKey?: string | undefined;
  /** The key that asked for it. */
  apiKeyId?: string | undefined;
  /** Its segments are sent while they are made. */
  isStreamed?: boolean;
}

/** Tone of a text: 0 as the voice speaks, 1 in the tone of a recording, 2 by weights of emotion. */
interface Delivery {
  genre: number;
  ext?: Record<string, number | undefined> | undefined;
  emotionPath?: string | undefined;
  pitch?: number | undefined;
  volume?: number | undefined;
}

/** True for parameters of professional members; default values are free for all. */
export function isProfessional({ genre, ext, emotionPath, pitch, volume }: Delivery): boolean {
  const hasEmotion = Object.values(ext ?? {}).some((weight) => weight !== undefined && weight !== 0);
  return genre !== 0 || hasEmotion || Boolean(emotionPath) || Boolean(pitch) || Boolean(volume);
}

export function toDeliveryColumns({ genre, ext, pitch, volume }: Delivery) {
  const weights = Object.entries(ext ?? {}).filter(([, weight]) => weight !== undefined);
  return {
    genre,
    pitch: pitch ?? null,
    volume: volume ?? null,
    ext: weights.length > 0 ? JSON.stringify(Object.fromEntries(weights)) : null,
  };
}

/** Equal for two requests that make the same, given what decides it. */
export const fingerprintOf = (parts: object): string =>
  createHash("sha256").update(stableJson(parts)).digest("base64url");

/** Of a segment of one run of a task, for those who hear it while it is made. */
export const fingerprintOfSegment = ({ id, turn }: { id: string; turn: number }, index: number): string =>
  fingerprintOf({ id, turn, index });

interface VoiceParts {
  recordings: Pick<Recordings, "findId" | "requireConsent">;
  roles: Pick<UsableRoles, "findUsable">;
}

/** The caller's recording with consent, else a role it may use. Throws voice-missing and consent-missing. */
export async function requireVoice(
  { recordings, roles }: VoiceParts,
  owner: Owner,
  { voicePath, roleId }: { voicePath?: string | undefined; roleId?: string | undefined },
) {
  const recording_id = voicePath ? await recordings.findId(owner, voicePath) : null;
  const role = !voicePath && roleId ? await roles.findUsable(owner, roleId) : null;
  if (recording_id) await recordings.requireConsent(recording_id);
  if (recording_id || role) return { recording_id, role_id: role?.id ?? null };
  throw new AppError("voice-missing", "neither an own recording nor a usable role");
}

/**
 * The id of the recording to take the tone from, null without one. `line` is the number in a dub's script and travels in
 * the error's data. Throws voice-missing, and bad-request where genre 1 names no recording.
 */
export async function findTone(
  { recordings }: { recordings: Pick<Recordings, "findId"> },
  owner: Owner,
  { genre, emotionPath }: Pick<Delivery, "genre" | "emotionPath">,
  line?: number,
): Promise<string | null> {
  const place = line === undefined ? {} : { line };
  if (genre === 1 && emotionPath === undefined) {
    const fields = [line === undefined ? "emotionPath" : `lines.${line}.emotionPath`];
    throw new AppError("bad-request", "no recording to take the tone from", {
      status: 400,
      data: { fields, ...place },
    });
  }
  const tone = emotionPath ? await recordings.findId(owner, emotionPath) : null;
  if (genre === 1 && !tone)
    throw new AppError("voice-missing", "the tone's recording is not the caller's", { data: place });
  return tone;
}
