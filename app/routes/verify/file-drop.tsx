import { useId } from "react";
import { verifyCopy } from "~/copy/verify";
import { Icon } from "~/ui/icons/icon";
import { useFileDrop } from "~/ui/use-file-drop";

/** Drop a file or pick one; the whole area is the file input's label. */
export function FileDrop({ onFile }: { onFile(file: File): void }) {
  const id = useId();
  const { isOver, input, zone } = useFileDrop(onFile);
  return (
    <div>
      <input accept="audio/*,.m4a,.mp3,.wav,.flac,.ogg,.opus,.webm" className="peer sr-only" id={id} {...input} />
      <label
        className={`flex min-h-[200px] cursor-pointer flex-col items-center justify-center gap-2 rounded-card border border-dashed bg-surface px-4 text-center transition-colors peer-focus-visible:outline peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-seal ${isOver ? "border-celadon bg-wash" : "border-edge hover:bg-wash"}`}
        htmlFor={id}
        {...zone}
      >
        <span className="flex items-center gap-2 font-semibold">
          <Icon className="text-seal" name="upload" />
          {isOver ? verifyCopy.dropNow : verifyCopy.pick}
          <span aria-hidden="true" className="hidden text-sm font-normal text-muted md:inline">
            {verifyCopy.drop}
          </span>
        </span>
        <span className="max-w-[36em] text-balance text-xs text-muted">{verifyCopy.formats}</span>
      </label>
    </div>
  );
}
