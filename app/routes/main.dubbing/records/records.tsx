import { type ButtonHTMLAttributes, memo } from "react";
import { editorCopy } from "~/copy/dubbing";
import { dubbingRecordsCopy as copy, dubGenerationCopy, formatWhen } from "~/copy/dubbing-records";
import { sentenceFor } from "~/copy/errors";
import { formatClock, formatDetail } from "~/copy/format";
import { shareCopy } from "~/copy/share";
import { askForFilm } from "~/dialog-requests";
import { ShareButton } from "~/features/share/share-button";
import { useHasCall } from "~/offer";
import { Button, ListenButton } from "~/ui/button";
import { Notice } from "~/ui/card";
import { ProgressBar, Skeleton } from "~/ui/feedback";
import { SearchInput } from "~/ui/fields";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { Menu } from "~/ui/menu";
import type { Dub } from "~server/bff/generations.server";
import { countFinishedLines, failureText, hasText, toExportItems } from "../dub";
import { type RecordActions, type Records, toGroups, useNow, useStableActions } from "./use-records";

interface RecordCardProps {
  dub: Dub;
  nowMs: number;
  isPlaying: boolean;
  actions: RecordActions;
}

/** A dub, its progress and its actions. */
const RecordCard = memo(function RecordCard({ dub, nowMs, isPlaying, actions }: RecordCardProps) {
  const title = dub.title || editorCopy.untitled;
  return (
    <article className="rounded-card border border-line bg-surface p-3.5">
      <div className="flex items-center gap-2.5">
        <div className="min-w-0 flex-1">
          <h3 className="truncate text-sm font-semibold">{title}</h3>
          <p className="tabular text-xs text-muted">{summaryOf(dub, nowMs)}</p>
        </div>
        {dub.status === 2 && dub.voiceUrl && (
          <ListenButton
            label={(isPlaying ? copy.pause : copy.play)(title)}
            onClick={() => actions.onPlay(dub)}
            sound={isPlaying ? "playing" : "silent"}
          />
        )}
      </div>
      {dub.status === 1 && <Running dub={dub} />}
      {dub.status === 3 && <p className="mt-1 text-xs text-seal">{failureText(dub)}</p>}
      <ActionRow actions={actions} dub={dub} title={title} />
    </article>
  );
});

function Running({ dub }: { dub: Dub }) {
  const finished = countFinishedLines(dub);
  const { queuePos, lines } = dub;
  const segments = lines.length > 0 ? copy.segments(Math.min(finished + 1, lines.length), lines.length) : "";
  const position = queuePos > 0 ? copy.queued(queuePos) : segments;
  return (
    <div className="mt-3 grid gap-1.5">
      <ProgressBar label={dubGenerationCopy.progress} value={dub.progress} />
      <p className="tabular text-xs text-muted">{position}</p>
    </div>
  );
}

function ActionRow({ dub, title, actions }: { dub: Dub; title: string; actions: RecordActions }) {
  const canExport = useHasCall("dubExport");
  const canCancel = useHasCall("taskCancel");
  const canRetry = useHasCall("taskRetry");
  const canFilm = useHasCall("videoCreate") && dub.status === 2 && dub.timelineUrl !== "";
  const text = dub.lines[0]?.content ?? "";
  const film = { kind: "dub", id: dub.dubbId, title, people: dub.lines, text } as const;
  return (
    <div className="-mx-2 -mb-2.5 mt-1 flex flex-wrap">
      {dub.status === 2 && (
        <Menu
          align="start"
          aria-label={copy.export(title)}
          className={`${textButton} inline-flex items-center gap-1`}
          items={() => toExportItems({ ...dub, title }, canExport)}
        >
          {copy.exportShort}
          <ToolIcon name="down" size={13} />
        </Menu>
      )}
      {canFilm && <TextButton onClick={() => askForFilm(film)}>{copy.film}</TextButton>}
      {dub.status === 1 && countFinishedLines(dub) > 0 && (
        <TextButton onClick={() => actions.onListen(dub)}>{dubGenerationCopy.listenDone}</TextButton>
      )}
      {canCancel && dub.status === 1 && (
        <TextButton onClick={() => actions.onChange(dub, "cancel")}>{copy.cancel}</TextButton>
      )}
      {canRetry && dub.status === 3 && (
        <TextButton className="!text-seal" onClick={() => actions.onChange(dub, "retry")}>
          {copy.retry}
        </TextButton>
      )}
      {hasText(dub) && <TextButton onClick={() => actions.onEdit(dub)}>{copy.edit}</TextButton>}
      {dub.status === 2 && (
        <ShareButton className={textButton} id={dub.taskId} kind="dub" label={shareCopy.openFor(title)}>
          {shareCopy.open}
        </ShareButton>
      )}
      {(dub.status !== 1 || !canCancel) && <TextButton onClick={() => actions.onRemove(dub)}>{copy.remove}</TextButton>}
    </div>
  );
}

const textButton = "min-h-[44px] rounded px-2 text-xs text-muted transition-colors hover:text-ink";

const TextButton = ({ className = "", ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) => (
  <button className={`${textButton} ${className}`} type="button" {...rest} />
);

function summaryOf({ lines, duration, createdAt, status }: Dub, nowMs: number): string {
  const names = [...new Set(lines.map(({ name }) => name))].filter(Boolean);
  const roles = new Set(lines.map(({ roleId }) => roleId)).size;
  const who = names.length === 1 ? names[0] : roles > 0 && copy.roles(roles);
  const length = status === 2 && duration > 0 ? formatClock(duration) : lines.length > 0 && copy.lines(lines.length);
  return [length, who, formatWhen(createdAt, nowMs)].filter(Boolean).join(" · ");
}

interface DubRecordsProps {
  records: Records;
  actions: RecordActions;
  isLoggedIn: boolean;
  onLogIn(): void;
  /** The id of the dub that plays now. */
  playingId: string | null;
}

/** The account's dubs beside the script. */
export function DubRecords({ records, actions, isLoggedIn, onLogIn, playingId }: DubRecordsProps) {
  const { state, keyword, setKeyword } = records;
  const stableActions = useStableActions(actions);
  const hasSearch = state.total > 4 || keyword !== "";
  return (
    <section aria-label={copy.heading} className="grid content-start gap-3">
      <h2 className="text-base font-semibold leading-10">{copy.heading}</h2>
      {isLoggedIn && hasSearch && (
        <SearchInput label={copy.search} onChange={(event) => setKeyword(event.target.value)} value={keyword} />
      )}
      {isLoggedIn ? (
        <DubList actions={stableActions} playingId={playingId} records={records} />
      ) : (
        <Notice sentence={copy.visitor}>
          <Button onClick={onLogIn}>{copy.login}</Button>
        </Notice>
      )}
    </section>
  );
}

function DubList({ records, playingId, actions }: Pick<DubRecordsProps, "records" | "playingId" | "actions">) {
  const { state, keyword, retry, loadMore } = records;
  const nowMs = useNow();
  if (state.phase === "loading") {
    return (
      <div aria-busy="true" aria-label={copy.loading} className="grid gap-3" role="status">
        {["a", "b", "c"].map((key) => (
          <Skeleton className="h-[104px] rounded-card" key={key} />
        ))}
      </div>
    );
  }
  if (state.phase === "failed") {
    return (
      <Notice
        role="alert"
        sentence={state.refusal ? formatDetail(copy.failed, sentenceFor(state.refusal)) : copy.failed}
      >
        <Button onClick={retry}>{copy.again}</Button>
      </Notice>
    );
  }
  if (state.list.length === 0) return <Notice sentence={keyword ? copy.nothingFound : copy.empty} />;
  return (
    <>
      {toGroups(state.list).map(({ key, dubs, heightPx }) => (
        <ul
          aria-label={copy.list}
          className="grid grid-cols-[minmax(0,1fr)] gap-3 [content-visibility:auto]"
          key={key}
          style={{ containIntrinsicBlockSize: `auto ${heightPx}px` }}
        >
          {dubs.map((dub) => (
            <li className="[contain-intrinsic-size:auto_124px] [content-visibility:auto]" key={dub.dubbId}>
              <RecordCard actions={actions} dub={dub} isPlaying={playingId === dub.dubbId} nowMs={nowMs} />
            </li>
          ))}
        </ul>
      ))}
      {state.list.length < state.total && (
        <Button kind="quiet" onClick={() => void loadMore()} pending={state.more === "loading"}>
          {state.more === "loading" ? copy.loadingMore : state.more === "failed" ? copy.again : copy.more}
        </Button>
      )}
    </>
  );
}
