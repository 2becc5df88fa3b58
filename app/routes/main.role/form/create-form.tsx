import { useNavigate } from "@remix-run/react";
import { useRef, useState } from "react";
import { sentenceFor } from "~/copy/errors";
import { roleFormCopy } from "~/copy/roles";
import { askToBuy } from "~/features/checkout/buy-flag";
import { usePlayer } from "~/features/player/provider";
import { referenceFault } from "~/features/reference/reference-panel";
import { notify } from "~/features/toasts/notify";
import { paths } from "~/paths";
import { track } from "~/track";
import { Button } from "~/ui/button";
import { LiveRegion } from "~/ui/visually-hidden";
import { createWishKey } from "~/wish-key";
import type { Refusal } from "~server/bff/refusal.server";
import { entitlementReasonOf } from "~server/contract/codes";
import { AboutFields } from "./about-fields";
import { ConsentFields, isGiven } from "./consent-fields";
import { create, type Phase } from "./create";
import { type Faults, faultsOf } from "./fields";
import { FormFrame } from "./form-frame";
import { LookFields } from "./look-fields";
import { Part } from "./part";
import { forgetCreation, useCreation } from "./use-creation";
import { VoiceFields } from "./voice-fields";

interface CreateFormProps {
  /** A recording of a clone or a trial, to begin with. */
  knownVoicePath: string;
  knownName: string;
}

const [first, second, third, fourth] = roleFormCopy.ordinals;

/** A new digital human: a voice, a name, a face, and the consent without which nothing is made. */
export function CreateForm({ knownVoicePath, knownName }: CreateFormProps) {
  const { creation, ...set } = useCreation({ voicePath: knownVoicePath, name: knownName });
  const [faults, setFaults] = useState<Faults>({});
  const nameField = useRef<HTMLInputElement>(null);
  const { phase, refusal, start } = useStart(creation, set);
  const hush = useHush();
  const { voice, fields, look, consent } = creation;

  const submit = () => {
    const voiceFault = voice.known ? null : referenceFault(voice.references);
    const found = { ...faultsOf(fields, look), ...(voiceFault && { voice: voiceFault }) };
    setFaults(found);
    if (found.name) nameField.current?.focus();
    if (Object.keys(found).length === 0 && isGiven(consent)) void start();
  };

  return (
    <FormFrame back={paths.role} heading={roleFormCopy.heading} onSubmit={submit}>
      <Part fault={faults.voice} heading={roleFormCopy.voice.heading} hint={roleFormCopy.voice.hint} ordinal={first}>
        <VoiceFields onChange={set.setVoice} onPlay={hush} voice={voice} />
      </Part>
      <Part heading={roleFormCopy.about.heading} ordinal={second}>
        <AboutFields faults={faults} fields={fields} nameField={nameField} onChange={set.setFields} />
      </Part>
      <Part fault={faults.look} heading={roleFormCopy.look.heading} ordinal={third}>
        <LookFields gender={fields.gender} look={look} onChange={set.setLook} />
      </Part>
      <Part heading={roleFormCopy.consent.heading} ordinal={fourth}>
        <ConsentFields consent={consent} onChange={set.setConsent} onPlay={hush} />
      </Part>
      <Submit isGiven={isGiven(consent)} isRead={consent.way === "read"} phase={phase} refusal={refusal} />
    </FormFrame>
  );
}

type Setters = Omit<ReturnType<typeof useCreation>, "creation">;

/** From the press of the button to the new role; what is refused leaves everything as it was. */
function useStart(creation: ReturnType<typeof useCreation>["creation"], set: Setters) {
  const navigate = useNavigate();
  const [phase, setPhase] = useState<Phase | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [{ keyOf }] = useState(() => createWishKey());
  const isBusy = useRef(false);

  const start = async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    setRefusal(null);
    const created = await create(creation, {
      keyOf,
      onPhase: setPhase,
      onSent(which, reference) {
        if (which === "consent") return set.setConsent({ spoken: reference });
        const { references } = creation.voice;
        set.setVoice({ references: { ...references, [references.source]: reference } });
      },
      onPhotoSent: (avatar) => set.setLook({ avatar }),
    });
    isBusy.current = false;
    setPhase(null);
    if (created.ok) {
      track("role_created");
      await forgetCreation();
      const { role } = created;
      return navigate(role?.name ? paths.roleOpened(role.roleId) : paths.role, { replace: true });
    }
    setRefusal(created.refusal);
    if (created.refusal.code === "login-expired") return navigate(paths.loginExpiredFrom(paths.roleNew()));
    notify({ kind: "error", text: sentenceOf(created.refusal) });
    if (isLimit(created.refusal)) askToBuy();
    if (created.refusal.code === "voice-missing") forgetSent(creation, set);
  };
  return { phase, refusal, start };
}

/** The upstream kept an earlier upload for a while only: the next try sends it again. */
function forgetSent({ voice: { references }, consent }: ReturnType<typeof useCreation>["creation"], set: Setters) {
  const reference = references[references.source];
  if (reference)
    set.setVoice({ references: { ...references, [references.source]: { ...reference, voicePath: undefined } } });
  if (consent.spoken) set.setConsent({ spoken: { ...consent.spoken, voicePath: undefined } });
}

/** One's own recording plays beside the site's player: the player should be quiet then. */
function useHush() {
  const player = usePlayer();
  return () => {
    if (player.isPlaying) player.toggle();
  };
}

/** Code 1001 with a known reason. */
const isLimit = ({ code, data }: Refusal) => code === "entitlement" && entitlementReasonOf(data) !== null;

/** The upstream's own words; where it has none, that the account's roles are full. */
const sentenceOf = (refusal: Refusal) =>
  isLimit(refusal) && !refusal.message ? roleFormCopy.full : sentenceFor(refusal);

interface SubmitProps {
  isGiven: boolean;
  isRead: boolean;
  phase: Phase | null;
  refusal: Refusal | null;
}

function Submit({ isGiven, isRead, phase, refusal }: SubmitProps) {
  const missing = isRead ? roleFormCopy.consent.readMissing : roleFormCopy.consent.missing;
  const sentence = refusal && sentenceOf(refusal);
  return (
    <div className="border-t border-dashed border-line pt-4">
      {sentence && (
        <p className="mb-3 text-sm text-seal" role="alert">
          {sentence}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button disabled={!isGiven} kind="primary" pending={phase !== null} size="large" type="submit">
          {phase ? roleFormCopy.phases[phase] : roleFormCopy.go}
        </Button>
        {!isGiven && <p className="text-xs text-muted">{missing}</p>}
      </div>
      <LiveRegion>{phase ? roleFormCopy.phases[phase] : ""}</LiveRegion>
    </div>
  );
}
