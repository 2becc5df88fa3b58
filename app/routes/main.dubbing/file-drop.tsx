import { type DragEvent, type ReactNode, useState } from "react";
import { editorCopy, importCopy } from "~/copy/dubbing";

interface FileDropProps {
  onFile(file: File): void;
  children: ReactNode;
}

/** The script's card; a file dropped on it is opened. */
export function FileDrop({ onFile, children }: FileDropProps) {
  const [isOver, setOver] = useState(false);
  const hasFile = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  return (
    <section
      aria-label={editorCopy.script}
      className="relative rounded-card border border-line bg-surface"
      onDragLeave={(event) => event.currentTarget.contains(event.relatedTarget as Node | null) || setOver(false)}
      onDragOver={(event) => {
        if (!hasFile(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDrop={(event) => {
        const [file] = event.dataTransfer.files;
        setOver(false);
        if (!file) return;
        event.preventDefault();
        onFile(file);
      }}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-0 z-20 grid place-items-center rounded-card border-2 border-dashed border-seal bg-[color-mix(in_srgb,var(--surface)_88%,transparent)] text-seal">
          {importCopy.drop}
        </div>
      )}
    </section>
  );
}
