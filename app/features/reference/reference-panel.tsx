import { Suspense } from "react";
import { recordingTips, referenceCopy } from "~/copy/recording";
import { lazyPart } from "~/ui/lazy-part";
import { RadioGroup } from "~/ui/radio-group";
import { Skeleton } from "~/ui/skeleton";
import { RecordPanel } from "./record-panel";
import type { Reference } from "./reference";

export type ReferenceSource = "record" | "upload";

/** One for each way of bringing a voice; switching between them loses nothing. */
export interface References {
  source: ReferenceSource;
  record: Reference | null;
  upload: Reference | null;
}

export const noReferences: References = { source: "record", record: null, upload: null };

/** The one that counts; null while there is none. */
export const chosenReference = (references: References) => references[references.source];

/** Why nothing can be made of it yet, in a sentence; null when it is fit. */
export function referenceFault(references: References): string | null {
  const reference = chosenReference(references);
  if (!reference) return referenceCopy.missing[references.source];
  const tip = reference.quality?.tips[0];
  return reference.quality?.verdict === "refused" && tip ? recordingTips[tip].sentence : null;
}

const UploadPanel = lazyPart(async () => ({ default: (await import("./upload-panel")).UploadPanel }));

const sources = (["record", "upload"] as const).map((value) => ({ value, label: referenceCopy.sources[value] }));

interface ReferencePanelProps {
  value: References;
  onChange(change: Partial<References>): void;
  /** One's own recording is about to sound: whatever else sounds should be quiet. */
  onPlay(): void;
  /** A sentence to be read aloud instead of the usual ones, such as a consent. */
  sentence?: string | undefined;
}

/**
 * A voice by microphone or by file, judged here; `sendReference` takes it to the upstream once something is made of it.
 * The owner keeps `value`, in a draft if it likes: it is plain data that survives in IndexedDB.
 */
export function ReferencePanel({ value, onChange, onPlay, sentence }: ReferencePanelProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <RadioGroup
        label={referenceCopy.from}
        onChange={(source) => onChange({ source })}
        options={sources}
        value={value.source}
      />
      <Suspense fallback={<Skeleton className="h-[132px]" />}>
        {value.source === "record" ? (
          <RecordPanel
            onPlay={onPlay}
            onReference={(record) => onChange({ record })}
            onUpload={() => onChange({ source: "upload" })}
            reference={value.record}
            sentence={sentence}
          />
        ) : (
          <UploadPanel onPlay={onPlay} onReference={(upload) => onChange({ upload })} reference={value.upload} />
        )}
      </Suspense>
    </div>
  );
}
