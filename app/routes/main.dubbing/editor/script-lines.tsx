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
import { memo } from "react";
import { editorCopy } from "~/copy/dubbing";
import type { Sound } from "~/ui/button";
import { LineRow } from "./line-row";
import type { LineState } from "./line-status";
import type { Speaker } from "./script";
import { toPlace, useOrder, useScript } from "./store";
import type { EditorStores, LineActions } from "./use-line-actions";

interface ScriptLinesProps {
  editor: EditorStores;
  speakers: ReadonlyMap<string, Speaker>;
  states: ReadonlyMap<string, LineState>;
  /** The line that plays now. */
  playingId: string | null;
  sound: Sound;
  actions: LineActions;
}

const noState: LineState = { kind: "none" };
const verticalOnly: Modifier[] = [({ transform }) => ({ ...transform, x: 0 })];
// Constants: dnd-kit renders every line again when one of its options is another object.
const pointerOptions = { activationConstraint: { distance: 4 } };
const keyboardOptions = { coordinateGetter: sortableKeyboardCoordinates };

/** The list of lines, sortable by pointer and keyboard. */
export const ScriptLines = memo(function ScriptLines(props: ScriptLinesProps) {
  const { editor, speakers, states, playingId, sound, actions } = props;
  const { store } = editor;
  const lines = useScript(store, ({ present }) => present.lines);
  const { ids, placeOf } = useOrder(lines);
  const sensors = useSensors(useSensor(PointerSensor, pointerOptions), useSensor(KeyboardSensor, keyboardOptions));
  const place = (id: unknown) => store.get().lines.findIndex((line) => line.id === id) + 1;
  const drop = ({ active, over }: DragEndEvent) => {
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
      onDragEnd={drop}
      sensors={sensors}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ol aria-label={editorCopy.script}>
          {lines.map((line, index) => (
            <LineRow
              actions={actions}
              editor={editor}
              key={line.id}
              line={line}
              place={placeOf.get(line.id) ?? toPlace(index, lines.length)}
              sound={playingId === line.id ? sound : "silent"}
              speaker={speakers.get(line.roleId) ?? null}
              state={states.get(line.id) ?? noState}
            />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  );
});

function announcementsFor(place: (id: unknown) => number): Announcements {
  const { dragging } = editorCopy;
  return {
    onDragStart: ({ active }) => dragging.picked(place(active.id)),
    onDragOver: ({ over }) => (over ? dragging.over(place(over.id)) : undefined),
    onDragEnd: ({ over, active }) => dragging.dropped(place(over?.id ?? active.id)),
    onDragCancel: () => dragging.cancelled,
  };
}
