import { useEffect, useState } from "react";
import { readSessionValue, readStoredValue, writeSessionValue, writeStoredValue } from "~/features/draft/draft";
import { noReferences, type References } from "~/features/reference/reference";
import { randomPortrait } from "~server/portrait/random-portrait";
import { type Consent, noConsent } from "./consent-fields";
import type { Fields, Look } from "./fields";
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
  look: Pick<Look, "kind" | "portrait" | "face">;
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
  const [creation, setCreation] = useState<Creation>(() => createInitial(known));
  const [isRestored, setRestored] = useState(false);
  const { voice, fields, look, consent } = creation;

  useEffect(() => {
    let isUnmounted = false;
    void readStoredValue<Sounds>(soundsKey).then((saved) => {
      if (isUnmounted) return;
      setRestored(true);
      if (saved) setCreation((now) => withSounds(now, saved));
    });
    return () => {
      isUnmounted = true;
    };
  }, []);

  useEffect(() => {
    const { kind, portrait, face } = look;
    writeSessionValue(draftKey, {
      fields,
      transcript: voice.transcript,
      design: voice.isDesigned ? voice.design : null,
      look: { kind, portrait, face },
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
  const drawn = { kind: "drawn" as const, portrait: randomPortrait(fields.gender), face: null, ...draft?.look };
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

const withSounds = (now: Creation, { references, spoken, photo }: Sounds): Creation => ({
  ...now,
  voice: { ...now.voice, references: references ?? noReferences },
  consent: { ...now.consent, spoken: spoken ?? null },
  look: { ...now.look, photo: photo ?? null },
});
