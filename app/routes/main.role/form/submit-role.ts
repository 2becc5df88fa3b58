import { Refused, refusalOf } from "~/call";
import { chosenReference, type Reference, uploadReference } from "~/features/reference/reference";
import type { Role } from "~server/bff/roles.server";
import { consentStatementFor, proofStatement } from "~server/contract/consent";
import { toPhotoPortrait } from "~server/portrait/photo-face";
import { createRole, uploadImage } from "../role-client";
import { type Look, toRoleInput } from "./fields";
import type { Creation } from "./use-creation";
import { isPromptRead } from "./voice-fields";

export type Phase = "recording" | "portrait" | "creating";

interface Callbacks {
  onPhase(phase: Phase): void;
  /** The reference has a `voicePath` now: a retry does not upload it again. */
  onUploaded(which: "voice" | "consent", reference: Reference): void;
  onPhotoUploaded(avatar: string): void;
}

/** Uploads the recordings and the photo, then creates the role; null if the upstream does not return it. Throws `Refused`. */
export async function submitRole(
  creation: Creation,
  { hasVendors, ...callbacks }: Callbacks & { hasVendors: boolean },
): Promise<Role | null> {
  const { voice, fields, look } = creation;
  const spoken = voice.isDesigned ? toDesignInput(voice) : await uploadVoice(creation, { hasVendors, ...callbacks });
  callbacks.onPhase("portrait");
  const face = await uploadFace(look, callbacks.onPhotoUploaded);
  callbacks.onPhase("creating");
  return createRole({ ...toRoleInput(fields), language: "zh", ...spoken, ...face });
}

function toDesignInput({ design }: Creation["voice"]) {
  if (!design) throw new Refused({ code: "voice-missing" });
  return { designId: design.designId };
}

/** Uploads the recordings of voice and consent. */
async function uploadVoice(
  { voice, consent }: Creation,
  { hasVendors, ...callbacks }: Callbacks & { hasVendors: boolean },
) {
  callbacks.onPhase("recording");
  const reference = voice.known ? null : chosenReference(voice.references);
  const voicePath = voice.known || (await upload(reference, (one) => callbacks.onUploaded("voice", one)));
  const isRead = isPromptRead(voice);
  const consentPath =
    !isRead && consent.way === "read"
      ? await upload(consent.spoken, (one) => callbacks.onUploaded("consent", one))
      : null;
  const transcript = reference?.transcript ?? (voice.known ? "" : voice.transcript.trim());
  return {
    voicePath,
    ...(transcript && { transcript }),
    consent: {
      statementId: isRead ? proofStatement.id : consentStatementFor(hasVendors),
      ...((isRead || consentPath) && { voicePath: consentPath ?? voicePath }),
      ...(hasVendors && consent.acceptsFee && { acceptFee: true }),
    },
  };
}

async function upload(reference: Reference | null, onUploaded: (reference: Reference) => void): Promise<string> {
  if (!reference) throw new Refused({ code: "voice-missing" });
  const voicePath = await uploadReference(reference);
  if (!reference.voicePath) onUploaded({ ...reference, voicePath });
  return voicePath;
}

/** Returns the drawing's parameters, or the photo's URL after its upload with what was confirmed of it. Throws `Refused`. */
export async function uploadFace(look: Look, onUploaded: (avatar: string) => void) {
  if (look.kind === "drawn") return { portrait: { ...look.portrait } };
  const confirmed = look.face && { portrait: toPhotoPortrait(look.face) };
  if (look.avatar || !look.photo) return { avatar: look.avatar, ...confirmed };
  const avatar = await uploadImage(look.photo).catch((error: unknown) => {
    throw refusalOf(error).code === "bad-request" ? new Refused({ code: "image-unreadable" }) : error;
  });
  onUploaded(avatar);
  return { avatar, ...confirmed };
}
