import { Suspense } from "react";
import { trialCopy } from "~/copy/home";
import type { Human } from "~/features/portrait/human";
import { RecordPanel } from "~/features/reference/record-panel";
import type { Reference } from "~/features/reference/reference";
import { lazyPart } from "~/ui/lazy-part";
import { RadioGroup } from "~/ui/radio-group";
import { Skeleton } from "~/ui/skeleton";
import { Step } from "./step";
import type { Voice, VoiceSource } from "./use-voice";

interface VoiceStepProps {
  voice: Voice;
  humans: readonly Human[];
  problem: string | null;
  onSource(source: VoiceSource): void;
  onRole(human: Human): void;
  onReference(source: "record" | "upload", reference: Reference | null): void;
  /** One's own recording is about to sound. */
  onPlay(): void;
}

const SamplePanel = lazyPart(async () => ({ default: (await import("./sample-panel")).SamplePanel }));
const UploadPanel = lazyPart(async () => ({
  default: (await import("~/features/reference/upload-panel")).UploadPanel,
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

export function VoiceStep({ voice, humans, problem, onSource, onRole, onReference, onPlay }: VoiceStepProps) {
  const { source, references } = voice;
  return (
    <Step heading={trialCopy.voice.heading} hint={trialCopy.voice.hints[source]} ordinal={trialCopy.ordinals[0]}>
      <div className="mt-2">
        <RadioGroup label={trialCopy.voice.label} onChange={onSource} options={sources} value={source} />
      </div>
      <div className="mt-3">
        {/* Not in the boundary: it comes with the page, and what is chosen while a boundary hydrates makes it start anew. */}
        {source === "record" ? (
          <RecordPanel
            onPlay={onPlay}
            onReference={(reference) => onReference("record", reference)}
            onUpload={() => onSource("upload")}
            reference={references.record}
          />
        ) : (
          <Suspense fallback={<Skeleton className={source === "sample" ? "h-[106px] md:h-[212px]" : "h-[132px]"} />}>
            {source === "upload" ? (
              <UploadPanel
                onPlay={onPlay}
                onReference={(reference) => onReference("upload", reference)}
                reference={references.upload}
              />
            ) : (
              <SamplePanel humans={humans} onRole={onRole} roleId={voice.roleId} />
            )}
          </Suspense>
        )}
      </div>
      {problem && (
        <p className="mt-2 text-xs text-seal" role="alert">
          {problem}
        </p>
      )}
    </Step>
  );
}
