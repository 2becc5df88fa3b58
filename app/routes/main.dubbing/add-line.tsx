import { editorCopy } from "~/copy/dubbing";
import { Glyph } from "./editor/glyphs";

/** Below the last line. */
export function AddLine({ onAdd }: { onAdd(): void }) {
  return (
    <button
      className="flex min-h-[52px] w-full items-center gap-2 border-b border-line px-4 text-sm text-muted transition-colors hover:bg-wash hover:text-ink"
      onClick={onAdd}
      type="button"
    >
      <Glyph name="plus" size={18} />
      {editorCopy.add}
    </button>
  );
}
