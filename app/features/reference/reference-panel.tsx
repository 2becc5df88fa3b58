import { useId, useRef } from "react";
import { referenceCopy, uploadCopy } from "~/copy/recording";
import { Fault } from "~/ui/feedback";
import { RadioGroup, useFileDrop } from "~/ui/fields";
import { Icon } from "~/ui/icons/icon";
import { useReferenceFile } from "./capture";
import { RecordPanel } from "./record-panel";
import type { Reference, References } from "./reference";
import { ReferenceRow } from "./reference-row";

const sources = (["record", "upload"] as const).map((value) => ({ value, label: referenceCopy.sources[value] }));

interface ReferencePanelProps {
  /** Whether the recording should be long enough for a proof of the voice. */
  isLong?: boolean | undefined;
  /** Shown to be read aloud instead of the examples. */
  sentence?: string | undefined;
  /** Takes a recording from the microphone; stores it itself by `onChange`. */
  onRecord?: ((reference: Reference | null) => void) | undefined;
  value: References;
  onChange(change: Partial<References>): void;
  /** The user's recording is about to play: other playback should pause. */
  onPlay(): void;
}

/** Gets a reference by microphone or file and assesses it in the browser. `uploadReference` uploads it. */
export function ReferencePanel({ isLong, sentence, value, onChange, onRecord, onPlay }: ReferencePanelProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <RadioGroup
        label={referenceCopy.from}
        onChange={(source) => onChange({ source })}
        options={sources}
        value={value.source}
      />
      {value.source === "record" ? (
        <RecordPanel
          isLong={isLong}
          onPlay={onPlay}
          onReference={onRecord ?? ((record) => onChange({ record }))}
          onUpload={() => onChange({ source: "upload" })}
          reference={value.record}
          sentence={sentence}
        />
      ) : (
        <UploadPanel onPlay={onPlay} onReference={(upload) => onChange({ upload })} reference={value.upload} />
      )}
    </div>
  );
}

interface UploadPanelProps {
  reference: Reference | null;
  onReference(reference: Reference | null): void;
  onPlay(): void;
}

/** Picks an audio file by dialog or drop, decodes and assesses it in the browser. */
export function UploadPanel({ reference, onReference, onPlay }: UploadPanelProps) {
  const { isReading, fault, read } = useReferenceFile(onReference);
  const drop = useFileDrop(read);
  const input = useRef<HTMLInputElement>(null);
  const inputId = useId();

  return (
    <div>
      <input
        aria-hidden={reference ? true : undefined}
        accept="audio/*,.m4a,.aac,.mp3,.wav,.flac,.ogg,.opus,.webm,.amr,.3gp,.caf"
        className="peer sr-only"
        id={inputId}
        ref={input}
        tabIndex={reference ? -1 : 0}
        {...drop.input}
      />
      {reference ? (
        <div className="rounded bg-wash px-4 py-3.5">
          <p className="truncate text-sm">{reference.name}</p>
          <ReferenceRow
            onPlay={onPlay}
            onRetake={() => input.current?.click()}
            onEdited={onReference}
            reference={reference}
            retakeLabel={referenceCopy.replace}
          />
        </div>
      ) : (
        <label
          className={`flex min-h-[132px] cursor-pointer flex-col items-center justify-center gap-1 rounded border border-dashed px-4 text-center transition-colors peer-focus-visible:outline peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-seal ${drop.isOver ? "border-celadon bg-wash" : "border-edge hover:bg-wash"}`}
          htmlFor={inputId}
          {...drop.zone}
        >
          <span className="flex items-center gap-2 font-semibold">
            <Icon className={isReading ? "animate-spin" : "text-seal"} name={isReading ? "spinner" : "upload"} />
            <span>{isReading ? uploadCopy.reading : drop.isOver ? uploadCopy.dropNow : uploadCopy.pick}</span>
            <span className="hidden text-sm font-normal text-muted md:inline">{uploadCopy.drop}</span>
          </span>
          <span className="text-xs text-muted">{uploadCopy.formats}</span>
        </label>
      )}
      <Fault className="mt-2 text-xs">{fault}</Fault>
    </div>
  );
}
