import { useNavigate } from "@remix-run/react";
import { useRef, useState } from "react";
import { type Refusal, refusalOf } from "~/call";
import { sentenceFor } from "~/copy/errors";
import { roleFormCopy, voiceDesignCopy } from "~/copy/roles";
import { usePlayer } from "~/features/player/provider";
import { chosenReference, type Reference, referenceFault } from "~/features/reference/reference";
import { useOneReading } from "~/features/reference/use-one-reading";
import { notify } from "~/features/toasts/notify";
import { paths } from "~/paths";
import { track } from "~/state/analytics-events";
import { useCapabilities, useHasCall } from "~/state/capabilities";
import { askToBuy } from "~/state/dialog-requests";
import { Button } from "~/ui/button";
import { Fault, LiveRegion } from "~/ui/feedback";
import { usePressWhenReady } from "~/ui/store";
import { entitlementReasonOf } from "~server/contract/codes";
import { AboutFields } from "./about-fields";
import { type Consent, ConsentFields, isGiven, ReadConsent } from "./consent-fields";
import { type Faults, findFaults } from "./fields";
import { FormFrame, FormPart } from "./form-layout";
import { LookFields } from "./look-fields";
import { type Phase, submitRole } from "./submit-role";
import { clearCreation, pitchOf, useCreation } from "./use-creation";
import { isPromptRead, type Voice, VoiceFields } from "./voice-fields";

interface CreateFormProps {
  /** `voicePath` of a clone or trial; "" for a new recording. */
  knownVoicePath: string;
  knownName: string;
}

const [first, second, third, fourth] = roleFormCopy.ordinals;

/** Creates a role from a voice, texts, a face and a consent. */
export function CreateForm({ knownVoicePath, knownName }: CreateFormProps) {
  const state = useCreation({ voicePath: knownVoicePath, name: knownName });
  const [faults, setFaults] = useState<Faults>({});
  const nameField = useRef<HTMLInputElement>(null);
  const { phase, refusal, start } = useSubmit(state);
  const player = usePlayer();
  const pause = () => {
    if (player.isPlaying) player.toggle();
  };
  const { voice, fields, look, consent } = state.creation;
  const reading = useOneReading(useIsReadingOffered(voice), state.setRecord);
  const isRead = isPromptRead(voice);
  const isConsentRead = isRead || reading.isHandingIn || (reading.sentence !== null && !voice.references.record);
  const isAllowed = voice.isDesigned || isConsentRead || isGiven(consent);

  /** The form's gender follows a designed voice. */
  const setVoice = (change: Partial<Voice>) => {
    state.setVoice(change);
    if (change.design) state.setFields({ gender: change.design.gender });
  };
  const submit = () => {
    const voiceFault = findVoiceFault(voice);
    const found = { ...findFaults(fields, look), ...(voiceFault && { voice: voiceFault }) };
    setFaults(found);
    if (found.name) nameField.current?.focus();
    if (Object.keys(found).length === 0 && isAllowed) void start();
  };
  const { isWaiting, press } = usePressWhenReady(submit);

  return (
    <FormFrame back={paths.role} heading={roleFormCopy.heading} onSubmit={press}>
      <FormPart
        fault={faults.voice}
        heading={roleFormCopy.voice.heading}
        hint={voice.isDesigned ? undefined : roleFormCopy.voice.hint}
        ordinal={first}
      >
        <VoiceFields onChange={setVoice} onPlay={pause} reading={reading} voice={voice} />
      </FormPart>
      <FormPart heading={roleFormCopy.about.heading} ordinal={second}>
        <AboutFields faults={faults} fields={fields} nameField={nameField} onChange={state.setFields} />
      </FormPart>
      <FormPart fault={faults.look} heading={roleFormCopy.look.heading} ordinal={third}>
        <LookFields look={look} onChange={state.setLook} voice={{ gender: fields.gender, pitchHz: pitchOf(voice) }} />
      </FormPart>
      <FormPart heading={roleFormCopy.consent.heading} ordinal={fourth}>
        {voice.isDesigned ? (
          <p className="text-sm">{voiceDesignCopy.consent}</p>
        ) : isConsentRead ? (
          <ReadConsent isDone={isRead} />
        ) : (
          <ConsentFields consent={consent} onChange={state.setConsent} onPlay={pause} />
        )}
      </FormPart>
      <Submit isAllowed={isAllowed} isWaiting={isWaiting} phase={phase} refusal={refusal} way={consent.way} />
    </FormFrame>
  );
}

function findVoiceFault({ known, isDesigned, design, references }: Voice): string | null {
  if (known) return null;
  if (isDesigned) return design ? null : voiceDesignCopy.missing;
  return referenceFault(references);
}

type CreationState = ReturnType<typeof useCreation>;

/** Submits the form; after a refusal the form keeps its state. */
function useSubmit({ creation, setVoice, setConsent, setLook }: CreationState) {
  const navigate = useNavigate();
  const [phase, setPhase] = useState<Phase | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const isBusy = useRef(false);
  const hasVendors = useCapabilities().vendors.length > 0;
  const { references } = creation.voice;

  /** Stores an upload; without `voicePath` the next try uploads the recording again. */
  const setUploaded = (which: "voice" | "consent", reference: Reference) => {
    if (which === "consent") setConsent({ spoken: reference });
    else setVoice({ references: { ...references, [references.source]: reference } });
  };
  const forgetUploads = () => {
    const reference = chosenReference(references);
    const { spoken } = creation.consent;
    if (reference) setUploaded("voice", { ...reference, voicePath: undefined, promptId: undefined });
    if (spoken) setUploaded("consent", { ...spoken, voicePath: undefined });
  };
  const onRefused = (refused: Refusal) => {
    setRefusal(refused);
    notify({ kind: "error", text: sentenceOf(refused) });
    if (isLimit(refused)) askToBuy({ packageType: "tier" });
    if (refused.code === "voice-missing") forgetUploads();
  };
  const start = async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    setRefusal(null);
    try {
      const onPhotoUploaded = (avatar: string) => setLook({ avatar });
      const role = await submitRole(creation, {
        onPhase: setPhase,
        onUploaded: setUploaded,
        onPhotoUploaded,
        hasVendors,
      });
      track("role_created");
      await clearCreation();
      navigate(role?.name ? paths.roleOpened(role.roleId) : paths.role, { replace: true });
    } catch (error) {
      onRefused(refusalOf(error));
      // After a success the form stays busy until the next page replaces it.
      isBusy.current = false;
      setPhase(null);
    }
  };
  return { phase, refusal, start };
}

/** True for code 1001 with a known reason. */
const isLimit = ({ code, data }: Refusal) => code === "entitlement" && entitlementReasonOf(data) !== null;

/** The upstream's message; without one, that the account has reached its limit of roles. */
const sentenceOf = (refusal: Refusal) =>
  isLimit(refusal) && !refusal.message ? roleFormCopy.full : sentenceFor(refusal);

/** One reading is offered for a new recording by the microphone; vendors need a consent of their own. */
function useIsReadingOffered({ known, isDesigned, references }: Voice): boolean {
  const { vendors } = useCapabilities();
  const hasProofs = useHasCall("proofPrompt");
  return hasProofs && vendors.length === 0 && !known && !isDesigned && references.source === "record";
}

interface SubmitProps {
  /** The speaker consents, or does by the reading that the form asks for. */
  isAllowed: boolean;
  way: Consent["way"];
  /** For a recording that is being checked. */
  isWaiting: boolean;
  phase: Phase | null;
  refusal: Refusal | null;
}

function Submit({ isAllowed, way, isWaiting, phase, refusal }: SubmitProps) {
  const missing = way === "read" ? roleFormCopy.consent.readMissing : roleFormCopy.consent.missing;
  const sentence = refusal && sentenceOf(refusal);
  return (
    <div className="border-t border-dashed border-line pt-4">
      <Fault className="mb-3 text-sm">{sentence}</Fault>
      <div className="flex flex-wrap items-center gap-3">
        <Button disabled={!isAllowed} kind="primary" pending={isWaiting || phase !== null} size="large" type="submit">
          {phase ? roleFormCopy.phases[phase] : roleFormCopy.go}
        </Button>
        {!isAllowed && <p className="text-xs text-muted">{missing}</p>}
      </div>
      <LiveRegion>{phase ? roleFormCopy.phases[phase] : ""}</LiveRegion>
    </div>
  );
}
