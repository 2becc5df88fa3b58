import { useEffect } from "react";
import { editorCopy, otherTabCopy } from "~/copy/dubbing";
import { unreadSentence } from "~/copy/generation";
import { slidesCopy as copy } from "~/copy/slides";
import { Button, IconButton } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { useStore } from "~/ui/store";
import { contentMaxLength } from "~server/contract/limits";
import { findUnreadLetters, hasReadableText } from "~server/contract/marks";
import { Face } from "../editor/line-row";
import { LineStatus } from "../editor/line-status";
import { countLineCharacters, isBlank, type ScriptLine } from "../editor/script";
import { useScript } from "../editor/store";
import type { DubActions } from "../use-dub-actions";
import type { DubSession } from "../use-dub-session";
import type { Playback } from "../use-playback";
import type { PagePictures } from "./deck";
import { PagePicture } from "./page-strip";
import type { SlidesDeck } from "./use-slides";

interface PageCardProps {
  session: DubSession;
  slides: SlidesDeck;
  pictures: PagePictures | null;
  playback: Playback;
  actions: DubActions;
  onRole(ids: readonly string[]): void;
}

/** The page that is shown: its picture, who speaks, and the text. */
export function PageCard(props: PageCardProps) {
  const { session, slides, pictures } = props;
  const { store } = session.editor;
  const ids = useScript(store, () => store.layout().ids);
  const index = Math.max(0, ids.indexOf(slides.shownId));
  const line = useScript(store, ({ present }) => present.lines[index]);
  const page = line?.page ?? null;
  const next = useScript(store, ({ present }) => present.lines[index + 1]?.page) ?? null;
  useEffect(() => {
    if (page !== null) pictures?.ask(page, "page");
    if (next !== null) pictures?.ask(next, "page");
  }, [pictures, page, next]);
  if (!line) return null;
  const number = index + 1;
  return (
    <div className="grid content-start gap-3 p-3 md:p-5">
      <PagePicture
        alt={copy.picture(number)}
        className={`mx-auto aspect-video w-full max-w-[max(20rem,calc((100dvh-31rem)*16/9))] rounded border border-line ${slides.isHidden(line) ? "opacity-40" : ""}`}
        page={page}
        pictures={pictures}
        size="page"
      />
      <div className="flex flex-wrap items-center gap-x-1">
        <p className="tabular flex-1 text-sm text-muted">{copy.place(number, ids.length)}</p>
        <PageActions line={line} number={number} slides={slides} total={ids.length} />
      </div>
      {slides.isHidden(line) ? (
        <p className="rounded bg-wash px-4 py-3 text-sm text-muted">{copy.hiddenNote}</p>
      ) : (
        <PageScript key={line.id} line={line} number={number} {...props} />
      )}
    </div>
  );
}

interface PageActionsProps {
  line: ScriptLine;
  number: number;
  total: number;
  slides: SlidesDeck;
}

function PageActions({ line, number, total, slides }: PageActionsProps) {
  const isHidden = slides.isHidden(line);
  return (
    <>
      <IconButton disabled={number === 1} label={copy.up} onClick={() => slides.move(line.id, -1)}>
        <Icon className="[rotate:-90deg]" name="arrow" />
      </IconButton>
      <IconButton disabled={number === total} label={copy.down} onClick={() => slides.move(line.id, 1)}>
        <Icon className="[rotate:90deg]" name="arrow" />
      </IconButton>
      {isHidden ? (
        <Button onClick={() => slides.setHiddenPage(line, false)}>{copy.show}</Button>
      ) : (
        <IconButton label={copy.hide} onClick={() => slides.setHiddenPage(line, true)}>
          <ToolIcon name="eyeOff" />
        </IconButton>
      )}
      <IconButton disabled={total === 1} label={copy.remove} onClick={() => slides.remove(line.id)}>
        <ToolIcon name="bin" />
      </IconButton>
    </>
  );
}

function PageScript({
  session,
  playback,
  actions,
  onRole,
  line,
  number,
}: PageCardProps & Pick<PageActionsProps, "line" | "number">) {
  const { editor, cast, states } = session;
  const speaker = cast.speakers.get(line.roleId) ?? null;
  const name = speaker?.name ?? (line.roleId ? editorCopy.goneRole : editorCopy.noRole);
  const unread = findUnreadLetters(line.content);
  const sound = playback.playing?.id === line.id ? playback.playing.sound : "silent";
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2.5">
        <button
          aria-label={editorCopy.role(name)}
          className="flex min-h-[44px] min-w-0 items-center gap-2.5 rounded pr-3 text-sm font-semibold transition-colors hover:bg-wash"
          onClick={() => onRole([line.id])}
          title={editorCopy.role(name)}
          type="button"
        >
          <span className="grid h-11 w-11 shrink-0 place-items-center overflow-hidden rounded bg-wash">
            {speaker ? <Face isFirst speaker={speaker} /> : <span className="text-lg text-muted">?</span>}
          </span>
          <span className="truncate" translate="no">
            {name}
          </span>
        </button>
        <LineStatus
          characters={countLineCharacters(line)}
          className="ml-auto"
          onListen={() => actions.listenLine(line.id)}
          onRetry={() => void actions.generate()}
          place={number}
          sound={sound}
          state={states.get(line.id) ?? { kind: "none" }}
        >
          {null}
        </LineStatus>
      </div>
      <textarea
        aria-label={copy.script(number)}
        className="block min-h-[9rem] w-full text-[1.0625rem] leading-[1.9] resize-y rounded border border-edge bg-transparent px-3.5 py-3 placeholder:text-muted [field-sizing:content]"
        maxLength={contentMaxLength}
        onChange={({ target }) => editor.store.edit({ type: "text", id: line.id, content: target.value })}
        placeholder={copy.placeholder}
        rows={5}
        value={line.content}
      />
      {isBlank(line) && <p className="text-sm text-muted">{copy.noText}</p>}
      {unread.length > 0 && (
        <p className="text-xs text-seal">{unreadSentence(unread, hasReadableText(line.content))}</p>
      )}
    </div>
  );
}

/** Whether the texts are saved; the choice between them and those of another tab. */
export function SlidesSaveStatus({ session: { draftSync } }: { session: DubSession }) {
  const status = useStore(draftSync.status);
  if (status !== "conflict")
    return <span className="text-xs text-muted">{status === "saved" ? editorCopy.saved : editorCopy.saving}</span>;
  return (
    <span className="flex w-full flex-wrap items-center gap-3 text-sm" role="alert">
      {otherTabCopy.conflict}
      <Button onClick={() => void draftSync.loadOther()}>{otherTabCopy.theirs}</Button>
      <Button onClick={() => void draftSync.overwrite()}>{otherTabCopy.mine}</Button>
    </span>
  );
}
