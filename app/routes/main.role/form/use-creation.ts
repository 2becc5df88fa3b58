import { useEffect, useState } from "react";
import { readSessionValue, readStoredValue, writeSessionValue, writeStoredValue } from "~/features/draft/draft";
import { chosenReference, noReferences, type References } from "~/features/reference/reference";
import { randomPortrait } from "~server/portrait/random-portrait";
import { type Consent, noConsent } from "./consent-fields";
import { type Fields, facesOf, type Look, withHeardGender, withNewFaces } from "./fields";
import type { Voice } from "./voice-fields";

export interface Creation {
  voice: Voice;
  fields: Fields;
  look: Look;
  consent: Consent;
}

interface Draft {
  fields: Fields;
  transcript: string;
  design: Voice["design"];
  look: Pick<Look, "kind" | "portrait" | "batch" | "face">;
}

interface Sounds {
  references: References;
  spoken: Consent["spoken"];
  photo: Blob | null;
}

const draftKey = "role-form";
const soundsKey = "role-form-sounds";

/** The state of the form, restored after a reload: text from the session storage, sound and photo from IndexedDB. */
export function useCreation(known: { voicePath: string; name: string }) {
  const [creation, setState] = useState<Creation>(() => createInitial(known));
  const setCreation = (change: (now: Creation) => Creation) => setState((now) => withVoiceFollowed(now, change(now)));
  const [isRestored, setRestored] = useState(false);
  const { voice, fields, look, consent } = creation;

  useEffect(() => {
    let isUnmounted = false;
    void readStoredValue<Sounds>(soundsKey).then((saved) => {
      if (isUnmounted) return;
      setRestored(true);
      if (saved) setState((now) => withVoiceFollowed(now, withSounds(now, saved)));
    });
    return () => {
      isUnmounted = true;
    };
  }, []);

  useEffect(() => {
    const { kind, portrait, batch, face } = look;
    writeSessionValue(draftKey, {
      fields,
      transcript: voice.transcript,
      design: voice.isDesigned ? voice.design : null,
      look: { kind, portrait, batch, face },
    } satisfies Draft);
  }, [fields, voice, look]);

  const { references } = voice;
  const { spoken } = consent;
  const { photo } = look;
  useEffect(() => {
    if (isRestored) void writeStoredValue(soundsKey, { references, spoken, photo } satisfies Sounds);
  }, [isRestored, references, spoken, photo]);

  const setterOf =
    <Part extends keyof Creation>(part: Part) =>
    (change: Partial<Creation[Part]>) =>
      setCreation((now) => ({ ...now, [part]: { ...now[part], ...change } }));

  /** Stores a recording; the rest of the voice may have changed since it began. */
  const setRecord = (record: References["record"]) =>
    setCreation((now) => ({
      ...now,
      voice: { ...now.voice, references: { ...now.voice.references, record } },
    }));

  return {
    creation,
    setRecord,
    setVoice: setterOf("voice"),
    setFields: setterOf("fields"),
    setLook: setterOf("look"),
    setConsent: setterOf("consent"),
  };
}

/** Clears the saved form after the role was created. */
export function clearCreation() {
  writeSessionValue(draftKey, {});
  return writeStoredValue(soundsKey, null);
}

function createInitial({ voicePath, name }: { voicePath: string; name: string }): Creation {
  const draft = readSessionValue<Draft>(draftKey);
  const texts = { name: "", describe: "", gender: "female" as const, tags: "", ...draft?.fields };
  const fields: Fields = { ...texts, name: name || texts.name };
  const batch = Math.floor(Math.random() * 10_000);
  const [portrait = randomPortrait(fields.gender)] = facesOf(batch, fields);
  const drawn = { kind: "drawn" as const, portrait, batch, face: null, ...draft?.look };
  return {
    voice: {
      known: voicePath,
      references: noReferences,
      transcript: draft?.transcript ?? "",
      isDesigned: Boolean(draft?.design) && !voicePath,
      design: draft?.design ?? null,
    },
    fields,
    look: { ...drawn, photo: null, avatar: "" },
    consent: noConsent,
  };
}

/** Median pitch of the recording in this browser. */
export function pitchOf({ known, isDesigned, design, references }: Voice): number | undefined {
  if (known) return undefined;
  return isDesigned ? design?.pitchHz : chosenReference(references)?.quality?.pitchHz;
}

/** The gender follows the recording until the person chooses one, and a drawn face follows both. */
function withVoiceFollowed(before: Creation, now: Creation): Creation {
  const [heard, pitchHz] = [pitchOf(before.voice), pitchOf(now.voice)];
  const fields = pitchHz === heard ? now.fields : withHeardGender(now.fields, pitchHz);
  const { gender } = fields;
  if (gender === before.fields.gender && pitchHz === heard) return now;
  return {
    ...now,
    fields,
    look: withNewFaces(now.look, { gender: before.fields.gender, pitchHz: heard }, { gender, pitchHz }),
  };
}

const withSounds = (now: Creation, { references, spoken, photo }: Sounds): Creation => ({
  ...now,
  voice: { ...now.voice, references: references ?? noReferences },
  consent: { ...now.consent, spoken: spoken ?? null },
  look: { ...now.look, photo: photo ?? null },
});
