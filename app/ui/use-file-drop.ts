import { type ChangeEvent, type DragEvent, useState } from "react";

/** A file picked or dropped: handlers for the file input and for its label, and whether a file hangs over it now. */
export function useFileDrop(onFile: (file: File) => void) {
  const [isOver, setOver] = useState(false);
  return {
    isOver,
    input: {
      type: "file",
      onChange({ target }: ChangeEvent<HTMLInputElement>) {
        const file = target.files?.[0];
        // The same file may be chosen again after a fault.
        target.value = "";
        if (file) onFile(file);
      },
    },
    zone: {
      onDragOver(event: DragEvent) {
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop(event: DragEvent) {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer.files[0];
        if (file) onFile(file);
      },
    },
  } as const;
}
