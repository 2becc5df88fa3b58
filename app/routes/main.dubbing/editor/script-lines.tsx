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
import type { ComponentType } from "react";
import { editorCopy } from "~/copy/dubbing";
import { LineRow } from "./line-row";
import type { PolyphoneStore } from "./polyphones";
import type { ReadAlong } from "./read-along";
import type { LineSound, LineState, Speaker } from "./state";
import { type ScriptStore, useScript } from "./store";
import { useIds } from "./use-ids";
import { type LineWishes, useLineActions } from "./use-line-actions";

export interface ScriptLinesProps extends LineWishes {
  store: ScriptStore;
  polyphones: PolyphoneStore;
  along: ReadAlong;
  speakers: ReadonlyMap<string, Speaker>;
  states: ReadonlyMap<string, LineState>;
  /** The line that sounds now. */
  sounding: { id: string; sound: LineSound } | null;
  Face: ComponentType<{ speaker: Speaker }>;
}

const unmade: LineState = { kind: "unmade" };
const upAndDown: Modifier = ({ transform }) => ({ ...transform, x: 0 });

/** The lines of the script, to be written, put in order and heard. */
export function ScriptLines({
  store,
  polyphones,
  along,
  speakers,
  states,
  sounding,
  Face,
  ...wishes
}: ScriptLinesProps) {
  const lines = useScript(store, ({ present }) => present.lines);
  const actions = useLineActions(store, wishes);
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
        announcements: announcing(place),
        screenReaderInstructions: { draggable: editorCopy.dragging.instructions },
      }}
      collisionDetection={closestCenter}
      modifiers={[upAndDown]}
      onDragEnd={drop}
      sensors={sensors}
    >
      <SortableContext items={useIds(lines)} strategy={verticalListSortingStrategy}>
        <ol aria-label={editorCopy.script}>
          {lines.map((line, index) => (
            <LineRow
              actions={actions}
              along={along}
              Face={Face}
              index={index}
              isLast={index === lines.length - 1}
              isOnly={lines.length === 1}
              key={line.id}
              line={line}
              polyphones={polyphones}
              sound={sounding?.id === line.id ? sounding.sound : "silent"}
              speaker={speakers.get(line.roleId) ?? null}
              state={states.get(line.id) ?? unmade}
            />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  );
}

function announcing(place: (id: unknown) => number): Announcements {
  const { dragging } = editorCopy;
  return {
    onDragStart: ({ active }) => dragging.picked(place(active.id)),
    onDragOver: ({ over }) => (over ? dragging.over(place(over.id)) : undefined),
    onDragEnd: ({ over, active }) => dragging.dropped(place(over?.id ?? active.id)),
    onDragCancel: () => dragging.cancelled,
  };
}
