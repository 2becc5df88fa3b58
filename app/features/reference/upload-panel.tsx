import { useId, useRef, useState } from "react";
import { errorSentences, loadFailureCopy } from "~/copy/errors";
import { referenceCopy, uploadCopy } from "~/copy/recording";
import { Icon } from "~/ui/icons/icon";
import { useFileDrop } from "~/ui/use-file-drop";
import { uploadMaxBytes } from "~server/contract/limits";
import type { Reference } from "./reference";
import { ReferenceRow } from "./reference-row";

interface UploadPanelProps {
  reference: Reference | null;
  onReference(reference: Reference | null): void;
  onPlay(): void;
}

/** Drop a file or pick one; it is unpacked and judged here, and goes up only when something is made of it. */
export function UploadPanel({ reference, onReference, onPlay }: UploadPanelProps) {
  const { isReading, fault, read } = useFile(onReference);
  const drop = useFileDrop(read);
  const input = useRef<HTMLInputElement>(null);
  const inputId = useId();
  const pick = () => input.current?.click();

  return (
    <div>
      <input
        aria-hidden={reference ? true : undefined}
        accept="audio/*,.m4a,.mp3,.wav,.flac,.ogg,.opus,.webm"
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
            onRetake={pick}
            onTrimmed={onReference}
            reference={reference}
            retakeLabel={referenceCopy.replace}
          />
        </div>
      ) : (
        <DropZone drop={drop} inputId={inputId} isReading={isReading} />
      )}
      {fault && (
        <p className="mt-2 text-xs text-seal" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

interface DropZoneProps {
  inputId: string;
  isReading: boolean;
  drop: ReturnType<typeof useFileDrop>;
}

function DropZone({ inputId, isReading, drop: { isOver, zone } }: DropZoneProps) {
  return (
    <label
      className={`flex min-h-[132px] cursor-pointer flex-col items-center justify-center gap-1 rounded border border-dashed px-4 text-center transition-colors peer-focus-visible:outline peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-seal ${isOver ? "border-celadon bg-wash" : "border-edge hover:bg-wash"}`}
      htmlFor={inputId}
      {...zone}
    >
      <span className="flex items-center gap-2 font-semibold">
        <Icon className={isReading ? "animate-spin" : "text-seal"} name={isReading ? "spinner" : "upload"} />
        {isReading ? uploadCopy.reading : isOver ? uploadCopy.dropNow : uploadCopy.pick}
        <span className="hidden text-sm font-normal text-muted md:inline">{uploadCopy.drop}</span>
      </span>
      <span className="text-xs text-muted">{uploadCopy.formats}</span>
    </label>
  );
}

function useFile(onReference: (reference: Reference) => void) {
  const [isReading, setReading] = useState(false);
  const [fault, setFault] = useState<string | null>(null);

  const read = async (file: File) => {
    setFault(null);
    if (file.size > uploadMaxBytes) return setFault(errorSentences["too-large"]);
    setReading(true);
    const code = await Promise.all([import("./examine"), import("./decode")]).catch(() => null);
    if (!code) {
      setReading(false);
      return setFault(loadFailureCopy.sentence);
    }
    const [{ referenceOfFile }, { TooLongToDecode }] = code;
    try {
      const reference = await referenceOfFile(file);
      if (reference) onReference(reference);
      else setFault(uploadCopy.unreadable);
    } catch (error) {
      setFault(error instanceof TooLongToDecode ? uploadCopy.tooLong(error.seconds) : uploadCopy.unreadable);
    } finally {
      setReading(false);
    }
  };
  return { isReading, fault, read };
}
