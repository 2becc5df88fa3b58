import { type ReactNode, type RefObject, Suspense, useId } from "react";
import { trialCopy } from "~/copy/home";
import { usePastedText } from "~/features/pasted/pasted-text";
import { type Human, Still } from "~/features/portrait/still";
import { RecordPanel } from "~/features/reference/record-panel";
import type { Reference, ReferenceSource } from "~/features/reference/reference";
import { useTheme } from "~/features/theme/theme";
import { Chip } from "~/ui/button";
import { Fault, Skeleton, VisuallyHidden } from "~/ui/feedback";
import { Field, RadioGroup } from "~/ui/fields";
import { lazyPart } from "~/ui/lazy-part";
import { charactersFree } from "~server/contract/limits";
import { countCharacters } from "~server/contract/marks";
import type { TrialVoice, VoiceSource } from "./trial-state";

interface VoiceStepProps {
  voice: TrialVoice;
  humans: readonly Human[];
  problem: string | null;
  onSource(source: VoiceSource): void;
  onRole(human: Human): void;
  onReference(source: ReferenceSource, reference: Reference | null): void;
  /** The visitor's recording is about to play. */
  onPlay(): void;
}

const UploadPanel = lazyPart(async () => ({
  default: (await import("~/features/reference/reference-panel")).UploadPanel,
}));

const sources = (["record", "upload", "sample"] as const).map((value) => ({
  value,
  label: (
    <>
      {value === "record" && <span className="h-2 w-2 rounded-full bg-seal" />}
      {trialCopy.voice.sources[value]}
    </>
  ),
}));

/** The voice: a recording, a file or a public voice. */
export function VoiceStep({ voice, humans, problem, onSource, onRole, onReference, onPlay }: VoiceStepProps) {
  const { source, references } = voice;
  return (
    <Step heading={trialCopy.voice.heading} hint={trialCopy.voice.hints[source]} ordinal={trialCopy.ordinals[0]}>
      <div className="mt-2">
        <RadioGroup label={trialCopy.voice.label} onChange={onSource} options={sources} value={source} />
      </div>
      <div className="mt-3">
        {/* Outside the boundary: an update during its hydration would mount the panel again. */}
        {source === "record" && (
          <RecordPanel
            onPlay={onPlay}
            onReference={(reference) => onReference("record", reference)}
            onUpload={() => onSource("upload")}
            reference={references.record}
          />
        )}
        {source === "upload" && (
          <Suspense fallback={<Skeleton className="h-[132px]" />}>
            <UploadPanel
              onPlay={onPlay}
              onReference={(reference) => onReference("upload", reference)}
              reference={references.upload}
            />
          </Suspense>
        )}
        {source === "sample" && <SamplePanel humans={humans} onRole={onRole} roleId={voice.roleId} />}
      </div>
      <Fault className="mt-2 text-xs">{problem}</Fault>
    </Step>
  );
}

interface SamplePanelProps {
  humans: readonly Human[];
  roleId: string | null;
  onRole(human: Human): void;
}

/** Public voices to choose from; choosing plays the preview. */
function SamplePanel({ humans, roleId, onRole }: SamplePanelProps) {
  const name = useId();
  const { colorMode } = useTheme();
  if (humans.length === 0)
    return <p className="rounded bg-wash px-4 py-6 text-sm text-muted">{trialCopy.voice.noSamples}</p>;
  return (
    <fieldset className="m-0 min-w-0 border-0 p-0">
      <legend className="sr-only">{trialCopy.voice.samples}</legend>
      <div className="-mx-1 grid auto-cols-[84px] grid-flow-col gap-2 overflow-x-auto p-1 md:grid-flow-row md:grid-cols-6">
        {humans.map((human) => (
          <label
            className="relative flex cursor-pointer flex-col items-center overflow-hidden rounded border border-line text-center transition-colors hover:border-edge has-[:checked]:border-ink has-[:checked]:bg-wash has-[:focus-visible]:outline has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-seal"
            key={human.roleId}
          >
            <input
              aria-label={`${human.name}，${human.describe}`}
              checked={human.roleId === roleId}
              className="absolute inset-0 cursor-pointer appearance-none outline-none"
              name={name}
              onChange={() => onRole(human)}
              // The selected voice plays its preview again.
              onClick={() => human.roleId === roleId && onRole(human)}
              type="radio"
              value={human.roleId}
            />
            <span className="block h-16 w-full bg-wash">
              <Still colorMode={colorMode} detail="small" human={human} />
            </span>
            <span aria-hidden="true" className="w-full truncate px-1 py-1.5 text-xs" translate="no">
              {human.name}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface TextStepProps {
  text: string;
  onText(text: string): void;
  problem: string | null;
  field: RefObject<HTMLTextAreaElement>;
}

/** The text with examples and a character count. */
export function TextStep({ text, onText, problem, field }: TextStepProps) {
  const used = countCharacters(text);
  const excess = used - charactersFree;
  const { onPaste, note } = usePastedText(text, onText);
  return (
    <Step heading={trialCopy.text.heading} ordinal={trialCopy.ordinals[1]}>
      <div className="mt-2">
        <Field
          className="max-h-[9rem] min-h-[78px] [field-sizing:content]"
          error={excess > 0 ? trialCopy.text.over(excess) : (problem ?? undefined)}
          id="trial-text"
          inputRef={field}
          label={trialCopy.text.label}
          onChange={(event) => onText(event.target.value)}
          onPaste={onPaste}
          placeholder={trialCopy.text.placeholder}
          rows={2}
          value={text}
        />
        {note}
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-1 sm:gap-2">
        {trialCopy.text.examples.map((example) => (
          <Chip aria-pressed={example.text === text} key={example.label} onClick={() => onText(example.text)}>
            {example.label}
          </Chip>
        ))}
        <span
          className={`tabular ml-auto whitespace-nowrap text-xs ${excess > 0 ? "font-semibold text-seal" : "text-muted"}`}
        >
          <span aria-hidden="true" translate="no">
            {trialCopy.text.count(used)}
          </span>
          <VisuallyHidden>{trialCopy.text.countAnnouncement(used)}</VisuallyHidden>
        </span>
      </div>
    </Step>
  );
}

interface StepProps {
  ordinal: string | undefined;
  heading: string;
  hint?: string;
  children: ReactNode;
}

/** A numbered part of the card; without the number on phones. */
export function Step({ ordinal, heading, hint, children }: StepProps) {
  return (
    <div className="grid min-w-0 gap-x-3.5 border-t border-dashed border-line py-3.5 first-of-type:border-t-0 md:grid-cols-[28px_minmax(0,1fr)]">
      <span aria-hidden="true" className="hidden font-song text-lg font-semibold text-seal md:block">
        {ordinal}
      </span>
      <div className="min-w-0">
        <h2 className="font-semibold leading-7">
          {heading}
          {hint && <span className="ml-2 text-xs font-normal text-muted">{hint}</span>}
        </h2>
        {children}
      </div>
    </div>
  );
}
