import { useSortable } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { type ComponentType, memo } from "react";
import { editorCopy } from "~/copy/dubbing";
import type { LineActions } from "./actions";
import { charactersOf } from "./cost";
import { deliveryWords } from "./delivery-words";
import { Glyph } from "./glyphs";
import { LineMenu } from "./line-menu";
import { LineEnd } from "./line-status";
import { LineText } from "./line-text";
import type { PolyphoneStore } from "./polyphones";
import type { ReadAlong } from "./read-along";
import type { ScriptLine } from "./script";
import type { LineSound, LineState, Speaker } from "./state";

export interface LineRowProps {
  line: ScriptLine;
  /** From 0. */
  index: number;
  isLast: boolean;
  isOnly: boolean;
  speaker: Speaker | null;
  state: LineState;
  sound: LineSound;
  actions: LineActions;
  polyphones: PolyphoneStore;
  along: ReadAlong;
  Face: ComponentType<{ speaker: Speaker }>;
}

/** One line of the script: who, how, what, and how far it is. Drawn again only when something about it changes. */
export const LineRow = memo(function LineRow(props: LineRowProps) {
  const { line, index, isLast, isOnly, speaker, state, sound, actions, polyphones, along } = props;
  const { id, content } = line;
  const place = index + 1;
  const name = speaker?.name ?? (line.roleId ? editorCopy.goneRole : editorCopy.noRole);
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id,
  });
  const ground = isDragging
    ? "z-10 rounded bg-surface shadow-card"
    : sound === "silent"
      ? ""
      : "bg-[linear-gradient(90deg,color-mix(in_srgb,var(--celadon)_9%,transparent),transparent_70%)] before:absolute before:inset-y-2.5 before:left-0 before:w-[3px] before:rounded-sm before:bg-celadon";
  return (
    <li
      aria-label={editorCopy.line(place, name)}
      className={`group/line relative grid min-h-[104px] content-start md:min-h-0 grid-cols-[44px_minmax(0,1fr)_auto] gap-x-2.5 border-b border-line px-3 py-3 [content-visibility:auto] [contain-intrinsic-size:auto_104px] md:grid-cols-[28px_44px_minmax(0,1fr)_auto] md:gap-x-3 md:px-4 md:py-3.5 ${ground}`}
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <button
        {...attributes}
        {...listeners}
        aria-label={editorCopy.grip(place)}
        className="absolute bottom-1 left-3 grid h-11 w-11 cursor-grab touch-none place-items-center rounded-full text-muted opacity-60 transition-opacity hover:opacity-100 focus-visible:opacity-100 disabled:invisible md:static md:row-span-2 md:-ml-2 md:w-8 md:opacity-40 md:group-hover/line:opacity-100"
        disabled={isOnly}
        ref={setActivatorNodeRef}
        type="button"
      >
        <Glyph name="grip" size={18} />
      </button>
      <button
        aria-label={editorCopy.role(name)}
        className="row-span-2 h-11 w-11 overflow-hidden rounded bg-wash transition-shadow hover:ring-2 hover:ring-edge"
        onClick={() => actions.onRole(id)}
        title={editorCopy.role(name)}
        type="button"
      >
        {speaker ? <props.Face speaker={speaker} /> : <span className="text-lg text-muted">?</span>}
      </button>
      <LineHead {...props} name={name} />
      <LineEnd
        characters={charactersOf(line)}
        className="col-span-2 col-start-2 row-start-3 md:col-span-1 md:col-start-4 md:row-span-2 md:row-start-1"
        onListen={() => actions.onListen(id)}
        onRetry={() => actions.onRetry(id)}
        place={place}
        sound={sound}
        state={state}
      >
        <LineMenu
          actions={actions}
          id={id}
          isFirst={index === 0}
          isLast={isLast}
          isOnly={isOnly}
          isTimed={line.startMs !== undefined}
          place={place}
        />
      </LineEnd>
      <div className="col-span-2 col-start-2 min-w-0 pb-1.5 md:col-span-1 md:col-start-3 md:pb-0.5">
        <LineText
          along={along}
          content={content}
          fieldRef={actions.fieldOf(id)}
          label={editorCopy.words(place, name)}
          lineId={id}
          placeholder={isOnly ? editorCopy.placeholder : ""}
          polyphones={polyphones}
          {...actions.textOf(id)}
        />
      </div>
    </li>
  );
});

function LineHead({ line, actions, name, state }: LineRowProps & { name: string }) {
  const { id, startMs, endMs } = line;
  const delivery = deliveryWords(line);
  return (
    <div className="col-span-2 -my-2 flex min-w-0 flex-wrap items-center gap-x-1 text-xs text-muted md:col-span-1">
      <button
        className="min-h-[44px] min-w-[44px] max-w-[9rem] truncate text-left font-semibold text-ink hover:underline"
        onClick={() => actions.onRole(id)}
        type="button"
      >
        {name}
      </button>
      <button
        aria-label={editorCopy.delivery(delivery)}
        className="tabular min-h-[44px] rounded-full px-1.5 hover:text-ink hover:underline"
        onClick={() => actions.onDelivery(id)}
        type="button"
      >
        {delivery}
      </button>
      {startMs !== undefined && endMs !== undefined && (
        <span className="tabular rounded-full bg-wash px-2 leading-5" title={editorCopy.timeLabel(startMs, endMs)}>
          {editorCopy.time(startMs, endMs)}
        </span>
      )}
      {state.kind === "made" && state.overrunMs > 50 && (
        <span className="tabular text-seal">{editorCopy.overrun(state.overrunMs)}</span>
      )}
    </div>
  );
}
