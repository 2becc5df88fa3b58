import type { Reference } from "~/features/reference/reference";
import { chosenReference } from "~/features/reference/reference-panel";
import { sendReference } from "~/features/reference/send-reference";
import type { Refusal } from "~server/bff/refusal.server";
import type { Role } from "~server/bff/roles.server";
import { consentStatementId } from "~server/contract/consent";
import { createRole, sendImage } from "../role-client";
import type { Look } from "./fields";
import { toAbout } from "./fields";
import type { Creation } from "./use-creation";

export type Phase = "recording" | "portrait" | "creating";

interface Steps {
  onPhase(phase: Phase): void;
  /** The name of this wish, by what is wished for. */
  keyOf(wish: object): string;
  /** A recording went up: the next try need not send it again. */
  onSent(which: "voice" | "consent", reference: Reference): void;
  onPhotoSent(avatar: string): void;
}

type Created = { ok: true; role: Role | null } | { ok: false; refusal: Refusal };

/** Everything that lies in this browser goes up first, then the role is made of it. */
export async function create(creation: Creation, steps: Steps): Promise<Created> {
  const { voice, fields, look, consent } = creation;
  steps.onPhase("recording");
  const reference = chosenReference(voice.references);
  const sound = voice.known ? { ok: true as const, voicePath: voice.known, transcript: undefined } : null;
  const sent = sound ?? (await send(reference, (one) => steps.onSent("voice", one)));
  if (!sent.ok) return sent;
  const isRead = consent.way === "read";
  const agreed = isRead ? await send(consent.spoken, (one) => steps.onSent("consent", one)) : null;
  if (agreed && !agreed.ok) return agreed;
  steps.onPhase("portrait");
  const face = await faceOf(look, steps.onPhotoSent);
  if (!face.ok) return face;
  steps.onPhase("creating");
  const transcript = sent.transcript ?? (voice.known ? "" : voice.transcript.trim());
  const wish = {
    ...toAbout(fields),
    language: "zh",
    voicePath: sent.voicePath,
    ...(transcript && { transcript }),
    ...face.face,
    consent: { statementId: consentStatementId, ...(agreed && { voicePath: agreed.voicePath }) },
  };
  return createRole(wish, steps.keyOf(wish));
}

async function send(reference: Reference | null, onSent: (reference: Reference) => void) {
  if (!reference) return { ok: false as const, refusal: { code: "voice-missing" as const } };
  const sent = await sendReference(reference);
  if (sent.ok && !reference.voicePath) onSent({ ...reference, voicePath: sent.voicePath });
  return sent;
}

type Face =
  | { ok: true; face: { avatar: string } | { portrait: Record<string, unknown> } }
  | { ok: false; refusal: Refusal };

/** The photo's place at the upstream, or the drawing's parameters. */
export async function faceOf(look: Look, onSent: (avatar: string) => void): Promise<Face> {
  if (look.kind === "drawn") return { ok: true, face: { portrait: { ...look.portrait } } };
  if (look.avatar || !look.photo) return { ok: true, face: { avatar: look.avatar } };
  const sent = await sendImage(look.photo);
  if (!sent.ok)
    return sent.refusal.code === "bad-request" ? { ok: false, refusal: { code: "image-unreadable" } } : sent;
  onSent(sent.image.url);
  return { ok: true, face: { avatar: sent.image.url } };
}
