import { editorCopy } from "~/copy/dubbing";
import type { LineActions } from "./actions";
import { Glyph } from "./glyphs";
import { Menu } from "./menu";

interface LineMenuProps {
  id: string;
  place: number;
  isFirst: boolean;
  isLast: boolean;
  isOnly: boolean;
  isTimed: boolean;
  actions: LineActions;
}

export function LineMenu({ id, place, isFirst, isLast, isOnly, isTimed, actions }: LineMenuProps) {
  const { menu, more } = editorCopy;
  return (
    <Menu
      items={[
        { label: menu.fromHere, onSelect: () => actions.onListenFrom(id) },
        { label: menu.readings, note: "Alt+Enter", onSelect: () => actions.onReadings(id) },
        null,
        { label: menu.up, disabled: isFirst, onSelect: () => actions.onMove(id, -1) },
        { label: menu.down, disabled: isLast, onSelect: () => actions.onMove(id, 1) },
        { label: menu.copy, onSelect: () => actions.onCopy(id) },
        { label: menu.mergeUp, disabled: isFirst, onSelect: () => actions.onMergeUp(id) },
        ...(isTimed ? [{ label: menu.untime, onSelect: () => actions.onUntime(id) }] : []),
        null,
        { label: menu.remove, isDanger: true, disabled: isOnly, onSelect: () => actions.onRemove(id) },
      ]}
      trigger={
        <button
          aria-label={more(place)}
          className="grid h-11 w-11 place-items-center rounded-full text-muted transition-colors hover:bg-wash hover:text-ink"
          title={more(place)}
          type="button"
        >
          <Glyph name="more" />
        </button>
      }
    />
  );
}
