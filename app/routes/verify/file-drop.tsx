import { type DragEvent, useId, useState } from "react";
import { verify } from "~/copy/verify";
import { Icon } from "~/ui/icons/icon";

/** Drop a file or pick one; the whole area is the file input's label. */
export function FileDrop({ onFile }: { onFile(file: File): void }) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) onFile(file);
  };
  return (
    <div>
      <input
        accept="audio/*,.m4a,.mp3,.wav,.flac,.ogg,.opus,.webm"
        className="peer sr-only"
        id={id}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file) onFile(file);
        }}
        type="file"
      />
      <label
        className={`flex min-h-[200px] cursor-pointer flex-col items-center justify-center gap-2 rounded-card border border-dashed bg-surface px-4 text-center transition-colors peer-focus-visible:outline peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-seal ${isOver ? "border-celadon bg-wash" : "border-edge hover:bg-wash"}`}
        htmlFor={id}
        onDragLeave={() => setOver(false)}
        onDragOver={over}
        onDrop={drop}
      >
        <span className="flex items-center gap-2 font-semibold">
          <Icon className="text-seal" name="upload" />
          {isOver ? verify.dropNow : verify.pick}
          <span aria-hidden="true" className="hidden text-sm font-normal text-muted md:inline">
            {verify.drop}
          </span>
        </span>
        <span className="max-w-[36em] text-balance text-xs text-muted">{verify.formats}</span>
      </label>
    </div>
  );
}
