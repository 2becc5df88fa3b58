import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  type Modifier,
  PointerSensor,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { memo, useEffect, useRef } from "react";
import { editorCopy } from "~/copy/dubbing";
import type { SoundState } from "~/ui/button";
import { LineRow } from "./line-row";
import type { LineState } from "./line-status";
import type { Speaker } from "./script";
import { createLongPress, findRowKeyAction, handleSelector, type InputOptions, type LineSelection } from "./selection";
import { type CaretPlace, type ScriptStore, useLineOrder, useScript } from "./store";
import type { EditorStores, LineActions } from "./use-line-actions";

interface ScriptLinesProps {
  editor: EditorStores;
  speakers: ReadonlyMap<string, Speaker>;
  states: ReadonlyMap<string, LineState>;
  /** The line that plays now. */
  playingId: string | null;
  sound: SoundState;
  actions: LineActions;
}

const noState: LineState = { kind: "none" };
/** Time for the rows to move to their new places; dnd-kit takes 200 ms. */
const dropMs = 300;
const verticalOnly: Modifier[] = [({ transform }) => ({ ...transform, x: 0 })];
// Constants: dnd-kit renders every line again when one of its options is another object.
const pointerOptions = { activationConstraint: { distance: 4 } };
/** Space selects the line. */
const keyboardOptions = {
  coordinateGetter: sortableKeyboardCoordinates,
  keyboardCodes: { start: ["Enter"], cancel: ["Escape"], end: ["Enter", "Space", "Tab"] },
};

/** The list of lines, sortable by pointer and keyboard. */
export const ScriptLines = memo(function ScriptLines(props: ScriptLinesProps) {
  const { store, selection } = props.editor;
  const { onRemove, onFind, onUndo, onRedo } = props.actions;
  const keys = useScript(store, () => store.layout().keys);
  const { ids, placeOf } = useLineOrder(store);
  const sensors = useSensors(useSensor(PointerSensor, pointerOptions), useSensor(KeyboardSensor, keyboardOptions));
  const place = (id: unknown) => store.get().lines.findIndex((line) => line.id === id) + 1;
  const list = useRef<HTMLDivElement>(null);
  const isDragged = useRef(false);
  const setDragged = (isNow: boolean) => {
    isDragged.current = isNow;
    const show = () => list.current?.toggleAttribute("data-dragging", isDragged.current);
    if (isNow) show();
    else setTimeout(show, dropMs);
  };
  const input = useRef({ isDragging: () => isDragged.current, onRemove, onFind, onUndo, onRedo });
  useSelectionInput(list, selection, store, input);
  const drop = ({ active, over }: DragEndEvent) => {
    setDragged(false);
    if (over && active.id !== over.id) store.edit({ type: "move", id: String(active.id), to: place(over.id) - 1 });
  };
  return (
    <DndContext
      accessibility={{
        announcements: announcementsFor(place),
        screenReaderInstructions: { draggable: editorCopy.dragging.instructions },
      }}
      collisionDetection={closestCenter}
      modifiers={verticalOnly}
      onDragCancel={() => setDragged(false)}
      onDragEnd={drop}
      onDragStart={() => setDragged(true)}
      sensors={sensors}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <div className="group/list" ref={list}>
          {keys.map((key) => (
            <Group group={key} key={key} placeOf={placeOf} {...props} />
          ))}
        </div>
      </SortableContext>
    </DndContext>
  );
});

interface GroupProps extends ScriptLinesProps {
  /** Its key. */
  group: number;
  placeOf: ReadonlyMap<string, CaretPlace>;
}

/** About the height of a line, for the scroll bar until the group has been on screen. */
const lineHeightPx = 104;

/**
 * Lines that the browser lays out and paints together, and not at all while they are off screen. With 500 lines side by
 * side every key press asks each of them for its size: two layouts of 25 ms each at a quarter of a laptop's speed, 5 ms
 * in groups. The first one is always laid out: a frame with its estimated height shifts the page by 0.04. A dragged line
 * is visible outside its group by the clip margin, which at other times would paint all groups near the screen.
 */
const Group = memo(function Group(props: GroupProps) {
  const { group, placeOf, editor, speakers, states, playingId, sound, actions } = props;
  const { store } = editor;
  const lines = useScript(store, () => store.layout().linesOf(group));
  let previous: CaretPlace | undefined;
  const placeFor = (id: string): CaretPlace => {
    previous = placeOf.get(id) ?? { number: (previous?.number ?? 0) + 1, isFirst: !previous, isLast: false };
    return previous;
  };
  return (
    <ol
      aria-label={editorCopy.script}
      className="relative [ol+&]:supports-[overflow-clip-margin:1px]:[content-visibility:auto] [overflow-clip-margin:8px] group-data-[dragging]/list:[overflow-clip-margin:4000px] group-data-[dragging]/list:has-[>.z-10]:z-10"
      style={{ containIntrinsicBlockSize: `auto ${lines.length * lineHeightPx}px` }}
    >
      {lines.map((line) => (
        <LineRow
          actions={actions}
          editor={editor}
          key={line.id}
          line={line}
          place={placeFor(line.id)}
          sound={playingId === line.id ? sound : "silent"}
          speaker={speakers.get(line.roleId) ?? null}
          state={states.get(line.id) ?? noState}
        />
      ))}
    </ol>
  );
});

/** Selects lines by the keys on their handles and by presses on their rows; the listeners are on the list as a whole. */
function useSelectionInput(
  list: { current: HTMLElement | null },
  selection: LineSelection,
  store: ScriptStore,
  options: { current: InputOptions },
) {
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const idOf = (target: EventTarget | null) =>
      (target as Element | null)?.closest<HTMLElement>("li[data-line]")?.dataset.line ?? null;
    const press = createLongPress((id) => selection.toggle(id), idOf);
    const onKeyDown = (event: KeyboardEvent) => {
      const action = findRowKeyAction(event, { selection, store, options: options.current });
      if (!action) return;
      event.preventDefault();
      action();
    };
    const onClick = (event: MouseEvent) => {
      const id = idOf(event.target);
      const target = event.target as Element;
      if (id === null) return;
      const isLongPress = press.takeClick();
      const isHandle = target.closest(handleSelector) !== null;
      const isText = target.closest("textarea") !== null;
      if (event.shiftKey && !isText) selection.extendTo(id);
      else if (!isLongPress && (isHandle || event.ctrlKey || event.metaKey)) selection.toggle(id);
      else if (!isLongPress) return;
      event.preventDefault();
      event.stopPropagation();
    };
    element.addEventListener("keydown", onKeyDown);
    element.addEventListener("click", onClick, true);
    press.listen(element);
    return () => {
      element.removeEventListener("keydown", onKeyDown);
      element.removeEventListener("click", onClick, true);
      press.end(element);
    };
  }, [list, selection, store, options]);
}

function announcementsFor(place: (id: unknown) => number): Announcements {
  const { dragging } = editorCopy;
  return {
    onDragStart: ({ active }) => dragging.picked(place(active.id)),
    onDragOver: ({ over }) => (over ? dragging.over(place(over.id)) : undefined),
    onDragEnd: ({ over, active }) => dragging.dropped(place(over?.id ?? active.id)),
    onDragCancel: () => dragging.cancelled,
  };
}
