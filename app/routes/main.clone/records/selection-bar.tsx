import { cloneRecordsCopy as words } from "~/copy/clone";
import { Button } from "~/ui/button";

interface SelectionBarProps {
  selected: number;
  shown: number;
  onAll(isSelected: boolean): void;
  onRemove(): void;
}

/** Choose all that are shown; delete what is chosen. */
export function SelectionBar({ selected, shown, onAll, onRemove }: SelectionBarProps) {
  return (
    <div className="flex min-h-[44px] flex-wrap items-center gap-x-3">
      <label className="flex min-h-[44px] cursor-pointer items-center gap-2.5 pl-3 text-sm text-muted md:pl-4">
        <input
          checked={selected > 0 && selected === shown}
          className="h-5 w-5 cursor-pointer"
          onChange={(event) => onAll(event.target.checked)}
          ref={(box) => {
            if (box) box.indeterminate = selected > 0 && selected < shown;
          }}
          type="checkbox"
        />
        {selected > 0 ? words.selected(selected) : words.selectAll}
      </label>
      {selected > 0 && (
        <span className="ml-auto flex gap-2">
          <Button kind="quiet" onClick={() => onAll(false)}>
            {words.clear}
          </Button>
          <Button className="text-seal" onClick={onRemove}>
            {words.removeMany(selected)}
          </Button>
        </span>
      )}
    </div>
  );
}
