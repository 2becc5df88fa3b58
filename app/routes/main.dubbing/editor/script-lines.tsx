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
import { useRef } from "react";
import { editorCopy } from "~/copy/dubbing";
import type { Sound } from "~/ui/button";
import { LineRow } from "./line-row";
import type { LineState } from "./line-status";
import type { ScriptLine, Speaker } from "./script";
import { useScript } from "./store";
import { type EditorStores, type LineHandlers, useLineActions } from "./use-line-actions";

interface ScriptLinesProps {
  editor: EditorStores;
  speakers: ReadonlyMap<string, Speaker>;
  states: ReadonlyMap<string, LineState>;
  /** The line that plays now. */
  playing: { id: string; sound: Sound } | null;
  handlers: LineHandlers;
}

const noState: LineState = { kind: "none" };
const verticalOnly: Modifier = ({ transform }) => ({ ...transform, x: 0 });

/** The list of lines, sortable by pointer and keyboard. */
export function ScriptLines({ editor, speakers, states, playing, handlers }: ScriptLinesProps) {
  const { store } = editor;
  const lines = useScript(store, ({ present }) => present.lines);
  const actions = useLineActions(store, handlers);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
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
      modifiers={[verticalOnly]}
      onDragEnd={drop}
      sensors={sensors}
    >
      <SortableContext items={useIds(lines)} strategy={verticalListSortingStrategy}>
        <ol aria-label={editorCopy.script}>
          {lines.map((line, index) => (
            <LineRow
              actions={actions}
              editor={editor}
              index={index}
              isLast={index === lines.length - 1}
              key={line.id}
              line={line}
              sound={playing?.id === line.id ? playing.sound : "silent"}
              speaker={speakers.get(line.roleId) ?? null}
              state={states.get(line.id) ?? noState}
            />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  );
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

/** The ids of the lines; the same array until an id or the order changes. */
function useIds(lines: readonly ScriptLine[]): string[] {
  const ids = useRef<string[]>([]);
  const isSame = ids.current.length === lines.length && lines.every(({ id }, index) => ids.current[index] === id);
  if (!isSame) ids.current = lines.map(({ id }) => id);
  return ids.current;
}
