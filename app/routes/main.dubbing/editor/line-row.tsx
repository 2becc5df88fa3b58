import { useSortable } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { memo, Suspense, useCallback } from "react";
import { editorCopy } from "~/copy/dubbing";
import { joinDetails } from "~/copy/format";
import { unreadSentence } from "~/copy/generation";
import { Still } from "~/features/portrait/still";
import { useTheme } from "~/features/theme/theme";
import { toneName, toTone } from "~/features/tone/tone";
import type { SoundState } from "~/ui/button";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { lazyPart } from "~/ui/lazy-part";
import { keyNote, Menu } from "~/ui/menu";
import { findUnreadLetters, hasReadableText } from "~server/contract/marks";
import { isOverrun, type LineState, LineStatus } from "./line-status";
import { LineText } from "./line-text";
import { countLineCharacters, type Delivery, type ScriptLine, type Speaker } from "./script";
import type { CaretPlace } from "./store";
import type { EditorStores, LineActions } from "./use-line-actions";

const Overrun = lazyPart(async () => ({ default: (await import("./overrun")).Overrun }));

interface LineRowProps {
  line: ScriptLine;
  place: CaretPlace;
  speaker: Speaker | null;
  state: LineState;
  sound: SoundState;
  actions: LineActions;
  editor: EditorStores;
}

/** A line of the script. dnd-kit renders all rows when one is added or dragged, so their content is apart. */
export const LineRow = memo(function LineRow(props: LineRowProps) {
  const { line, place, speaker, sound, editor } = props;
  const { number } = place;
  const name = speaker?.name ?? (line.roleId ? editorCopy.goneRole : editorCopy.noRole);
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id: line.id,
  });
  const { selection } = editor;
  const { id } = line;
  const rowRef = useCallback(
    (row: HTMLLIElement | null) => {
      setNodeRef(row);
      selection.bindRow(id, row);
    },
    [setNodeRef, selection, id],
  );
  const background = isDragging
    ? "z-10 rounded bg-surface shadow-card"
    : sound === "silent"
      ? ""
      : "bg-[linear-gradient(90deg,color-mix(in_srgb,var(--celadon)_9%,transparent),transparent_70%)] before:absolute before:inset-y-2.5 before:left-0 before:w-[3px] before:rounded-sm before:bg-celadon";
  return (
    <li
      aria-label={editorCopy.line(number, name)}
      className={`group/line relative grid data-[selected]:bg-wash min-h-[104px] content-start md:min-h-0 grid-cols-[2.75rem_minmax(0,1fr)_auto] gap-x-2.5 border-b border-line px-3 py-3 md:grid-cols-[1.75rem_2.75rem_minmax(0,1fr)_auto] md:gap-x-3 md:px-4 md:py-3.5 ${background}`}
      data-line={id}
      ref={rowRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <button
        {...attributes}
        {...listeners}
        aria-label={editorCopy.grip(number)}
        aria-pressed={false}
        className="absolute bottom-1 left-3 grid h-[44px] w-[44px] cursor-grab [touch-action:none] place-items-center rounded-full text-[color-mix(in_srgb,var(--muted)_60%,transparent)] hover:text-muted focus-visible:text-muted group-data-[selected]/line:text-seal scroll-mb-40 scroll-mt-24 md:static md:row-span-2 md:-ml-2 md:w-8 md:text-[color-mix(in_srgb,var(--muted)_40%,transparent)] md:group-hover/line:text-muted"
        data-handle
        ref={setActivatorNodeRef}
        title={editorCopy.gripTitle}
        type="button"
      >
        <ToolIcon className="[grid-area:1/1] group-data-[selected]/line:invisible" name="grip" size={18} />
        <ToolIcon className="invisible [grid-area:1/1] group-data-[selected]/line:visible" name="selected" size={20} />
      </button>
      <LineContent {...props} name={name} />
    </li>
  );
});

interface LineContentProps extends LineRowProps {
  name: string;
}

/** Speaker, delivery, text, progress and menu. */
const LineContent = memo(function LineContent(props: LineContentProps) {
  const { line, place, speaker, state, sound, actions, editor, name } = props;
  const { number, isFirst, isLast } = place;
  const { id, content } = line;
  const unread = findUnreadLetters(content);
  return (
    <>
      <button
        aria-label={editorCopy.role(name)}
        className="row-span-2 h-11 w-11 overflow-hidden rounded bg-wash transition-shadow hover:[box-shadow:0_0_0_2px_var(--edge)]"
        onClick={() => actions.onRole(id)}
        title={editorCopy.role(name)}
        type="button"
      >
        {speaker ? <Face isFirst speaker={speaker} /> : <span className="text-lg text-muted">?</span>}
      </button>
      <LineHead {...props} />
      <LineStatus
        characters={countLineCharacters(line)}
        className="col-span-2 col-start-2 row-start-3 md:col-span-1 md:col-start-4 md:row-span-2 md:row-start-1"
        onListen={() => actions.onListen(id)}
        onRetry={() => actions.onRetry(id)}
        place={number}
        sound={sound}
        state={state}
      >
        <LineMenu actions={actions} id={id} isTimed={line.startMs !== undefined} place={place} />
      </LineStatus>
      <div className="col-span-2 col-start-2 min-w-0 pb-1.5 md:col-span-1 md:col-start-3 md:pb-0.5">
        <LineText
          actions={actions}
          content={content}
          editor={editor}
          label={editorCopy.words(number, name)}
          lineId={id}
          placeholder={isFirst && isLast ? editorCopy.placeholder : ""}
        />
        {unread.length > 0 && (
          <p className="mt-1 text-xs text-seal">{unreadSentence(unread, hasReadableText(content))}</p>
        )}
      </div>
    </>
  );
});

function LineHead({ line, actions, name, place, state }: LineContentProps) {
  const { id, startMs, endMs, speedUpMax } = line;
  const delivery = deliveryText(line);
  return (
    <div className="col-span-2 -my-2 flex min-w-0 flex-wrap items-center gap-x-1 text-xs text-muted md:col-span-1">
      <button
        className="min-h-[44px] min-w-[44px] max-w-[9rem] truncate text-left font-semibold text-ink hover:underline"
        onClick={() => actions.onRole(id)}
        translate="no"
        type="button"
      >
        {line.isUnsure ? editorCopy.unsureSpeaker(name) : name}
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
      {line.pauseAfter !== undefined && line.pauseAfter > 0 && (
        <span className="tabular rounded-full bg-wash px-2 leading-5 group-data-[selected]/line:bg-surface">
          {editorCopy.pauseAfter(line.pauseAfter)}
        </span>
      )}
      {isOverrun(state) && (
        <Suspense>
          <Overrun {...{ id, actions, speedUpMax }} overrunMs={state.overrunMs} place={place.number} />
        </Suspense>
      )}
      {state.kind === "ready" && state.doubts && <span className="text-seal">{editorCopy.doubts(state.doubts)}</span>}
    </div>
  );
}

/** The mood and the speed. */
export const deliveryText = (delivery: Delivery): string =>
  joinDetails(toneName(toTone(delivery)), editorCopy.speed(delivery.speed));

interface LineMenuProps {
  id: string;
  place: CaretPlace;
  isTimed: boolean;
  actions: LineActions;
}

function LineMenu({ id, place: { number, isFirst, isLast }, isTimed, actions }: LineMenuProps) {
  const { menu, more } = editorCopy;
  return (
    <Menu
      aria-label={more(number)}
      className="grid h-11 w-11 place-items-center rounded-full text-muted transition-colors hover:bg-wash hover:text-ink"
      items={() => [
        { label: menu.fromHere, onSelect: () => actions.onListenFrom(id) },
        { label: menu.emphasis, note: keyNote("Ctrl+B"), onSelect: () => actions.onEmphasis(id) },
        { label: menu.readings, note: keyNote("Alt+Enter"), onSelect: () => actions.onReadings(id) },
        { label: menu.takes, onSelect: () => actions.onTakes(id) },
        null,
        { label: menu.up, disabled: isFirst, onSelect: () => actions.onMove(id, -1) },
        { label: menu.down, disabled: isLast, onSelect: () => actions.onMove(id, 1) },
        { label: menu.copy, onSelect: () => actions.onCopy(id) },
        { label: menu.mergeUp, disabled: isFirst, onSelect: () => actions.onMergeUp(id) },
        ...(isTimed ? [{ label: menu.untime, onSelect: () => actions.onRemoveTime(id) }] : []),
        null,
        { label: menu.remove, isDanger: true, disabled: isFirst && isLast, onSelect: () => actions.onRemove([id]) },
      ]}
      title={more(number)}
    >
      <ToolIcon name="more" />
    </Menu>
  );
}

/** A speaker's picture at the size of a line; the first character of the name if there is none. */
export const Face = memo(function Face({ speaker, isFirst = false }: { speaker: Speaker; isFirst?: boolean }) {
  const { colorMode } = useTheme();
  const { avatar, portrait, name, roleId } = speaker;
  if (!avatar && !portrait) return <span className="font-song text-lg font-semibold">{[...name][0] ?? "?"}</span>;
  const human = { roleId, name, describe: "", avatar, portrait, voiceUrl: "" };
  return <Still colorMode={colorMode} detail="face" human={human} isFirst={isFirst} />;
});
