import { memo, Suspense, useMemo, useState } from "react";
import { dubbingRecordsCopy as copy, dubGenerationCopy } from "~/copy/dubbing-records";
import { sentenceFor } from "~/copy/errors";
import { formatDetail } from "~/copy/format";
import { resultCopy } from "~/copy/generation";
import { SharePanel } from "~/features/share/share-button";
import { notify } from "~/features/toasts/notify";
import { useHasCall } from "~/state/capabilities";
import { askForFilm } from "~/state/dialog-requests";
import { Button, ListenButton } from "~/ui/button";
import { Notice } from "~/ui/card";
import { ProgressBar, SkeletonList } from "~/ui/feedback";
import { SearchInput } from "~/ui/fields";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { Menu } from "~/ui/menu";
import type { Dub } from "~server/bff/generations.server";
import { countFinishedLines, failureText, hasText, titleOf } from "../dub";
import { ExportButton } from "../footer";
import {
  EndNoticeButton,
  type RecordActions,
  type Records,
  summaryOf,
  toGroups,
  toRecords,
  useNow,
  useStableActions,
} from "./use-records";

interface RecordCardProps {
  dub: Dub;
  /** Earlier versions, newest first. */
  earlier?: readonly Dub[];
  nowMs: number;
  playingId: string | null;
  actions: RecordActions;
}

/** A dub, its progress and its actions, and the versions before it. */
const RecordCard = memo(function RecordCard({ dub, earlier = [], nowMs, playingId, actions }: RecordCardProps) {
  const [title, isPlaying] = [titleOf(dub), playingId === dub.dubbId];
  const [isOpen, setOpen] = useState(false);
  return (
    <article className="rounded-card border border-line bg-surface p-3.5">
      <div className="flex items-center gap-2.5">
        <div className="min-w-0 flex-1">
          <h3 className="truncate text-sm font-semibold">{title}</h3>
          <p className="tabular text-xs text-muted">{summaryOf(dub, nowMs)}</p>
        </div>
        <RecordMenu actions={actions} dub={dub} title={title} />
      </div>
      {dub.status === 1 && <Running dub={dub} />}
      {dub.status === 3 && <p className="mt-1 text-xs text-seal">{failureText(dub)}</p>}
      <div className="mt-2 flex min-h-[44px] items-center justify-between gap-2 [&>:only-child]:ml-auto">
        {dub.status === 2 && dub.voiceUrl && (
          <ListenButton
            label={(isPlaying ? copy.pause : copy.play)(title)}
            onClick={() => actions.onPlay(dub)}
            sound={isPlaying ? "playing" : "silent"}
          />
        )}
        {earlier.length > 0 && (
          <Button aria-expanded={isOpen} kind="quiet" onClick={() => setOpen(!isOpen)}>
            {copy.earlier(earlier.length)}
          </Button>
        )}
        <MainAction actions={actions} dub={dub} title={title} />
      </div>
      {isOpen && (
        <ul aria-label={copy.earlierList(title)} className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-2">
          {earlier.map((one) => (
            <li key={one.dubbId}>
              <RecordCard actions={actions} dub={one} nowMs={nowMs} playingId={playingId} />
            </li>
          ))}
        </ul>
      )}
    </article>
  );
});

function Running({ dub }: { dub: Dub }) {
  const { queuePos, lines } = dub;
  const next = Math.min(countFinishedLines(dub) + 1, lines.length);
  const place = queuePos > 0 ? copy.queued(queuePos) : lines.length > 0 ? copy.segments(next, lines.length) : "";
  return (
    <div className="mt-3 grid gap-1.5">
      <ProgressBar label={dubGenerationCopy.progress} value={dub.progress} />
      <p className="tabular text-xs text-muted">{place}</p>
      <Suspense>
        <EndNoticeButton notify={notify} />
      </Suspense>
    </div>
  );
}

type DubActionProps = Pick<RecordCardProps, "dub" | "actions"> & { title: string };

/** The one thing to do next with a dub. */
function MainAction({ dub, title, actions }: DubActionProps) {
  const can = { cancel: useHasCall("taskCancel"), retry: useHasCall("taskRetry") };
  const change = dub.status === 1 ? "cancel" : "retry";
  if (dub.status === 2) return <ExportButton dub={dub} label={copy.export(title)} />;
  return can[change] && <Button onClick={() => actions.onChange(dub, change)}>{copy[change]}</Button>;
}

/** The other actions. */
function RecordMenu({ dub, title, actions }: DubActionProps) {
  const [isSharing, setSharing] = useState(false);
  const isDone = dub.status === 2;
  const canShare = useHasCall("shareCreate") && isDone;
  const canFilm = useHasCall("videoCreate") && isDone && dub.timelineUrl !== "";
  const canCancel = useHasCall("taskCancel") && dub.status === 1;
  const text = dub.lines[0]?.content ?? "";
  const film = { kind: "dub", id: dub.dubbId, title, people: dub.lines, text } as const;
  return (
    <>
      <Menu
        aria-label={copy.menu(title)}
        className="-m-2 grid h-11 w-11 shrink-0 place-items-center rounded-full text-muted transition-colors hover:bg-wash hover:text-ink"
        items={() => [
          ...(dub.status === 1 && countFinishedLines(dub) > 0
            ? [{ label: dubGenerationCopy.listenDone, onSelect: () => actions.onListen(dub) }]
            : []),
          ...(canShare ? [{ label: resultCopy.share, onSelect: () => setSharing(true) }] : []),
          ...(canFilm ? [{ label: copy.film, onSelect: () => askForFilm(film) }] : []),
          ...(hasText(dub) ? [{ label: copy.edit, onSelect: () => actions.onEdit(dub) }] : []),
          ...(canCancel ? [] : [{ label: copy.remove, onSelect: () => actions.onRemove(dub), isDanger: true }]),
        ]}
      >
        <ToolIcon name="more" />
      </Menu>
      {isSharing && <SharePanel id={dub.taskId} kind="dub" onClose={() => setSharing(false)} />}
    </>
  );
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

function DubList({ records: all, playingId, actions }: Pick<DubRecordsProps, "records" | "playingId" | "actions">) {
  const { state, keyword, retry, loadMore } = all;
  const nowMs = useNow();
  const groups = useMemo(() => toGroups(toRecords(state.list)), [state.list]);
  if (state.phase === "loading") return <SkeletonList count={3} label={copy.loading} row="h-[104px] rounded-card" />;
  if (state.phase === "failed") {
    const sentence = state.refusal ? formatDetail(copy.failed, sentenceFor(state.refusal)) : copy.failed;
    return (
      <Notice role="alert" sentence={sentence}>
        <Button onClick={retry}>{copy.again}</Button>
      </Notice>
    );
  }
  if (state.list.length === 0) return <Notice sentence={keyword ? copy.nothingFound : copy.empty} />;
  return (
    <>
      {groups.map(({ key, records, heightPx }) => (
        <ul
          aria-label={copy.list}
          className="grid grid-cols-[minmax(0,1fr)] gap-3 [content-visibility:auto]"
          key={key}
          style={{ containIntrinsicBlockSize: `auto ${heightPx}px` }}
        >
          {records.map(({ id, dub, earlier }) => (
            <li className="[contain-intrinsic-size:auto_124px] [content-visibility:auto]" key={id}>
              <RecordCard
                actions={actions}
                dub={dub}
                earlier={earlier}
                nowMs={nowMs}
                playingId={[dub, ...earlier].some(({ dubbId }) => dubbId === playingId) ? playingId : null}
              />
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
