import { useEffect, useState } from "react";
import { dubbingRecordsCopy as copy } from "~/copy/dubbing-records";
import { sentenceFor } from "~/copy/errors";
import { formatDetail } from "~/copy/format";
import { Button } from "~/ui/button";
import { Notice } from "~/ui/card";
import { Skeleton } from "~/ui/feedback";
import { SearchInput } from "~/ui/fields";
import { type RecordActions, RecordCard } from "./record-card";
import type { Records } from "./use-records";

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
  const hasSearch = state.total > 4 || keyword !== "";
  return (
    <section aria-label={copy.heading} className="grid content-start gap-3">
      <h2 className="text-base font-semibold leading-10">{copy.heading}</h2>
      {isLoggedIn && hasSearch && (
        <SearchInput label={copy.search} onChange={(event) => setKeyword(event.target.value)} value={keyword} />
      )}
      {isLoggedIn ? (
        <DubList actions={actions} playingId={playingId} records={records} />
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
      <ul aria-label={copy.list} className="grid gap-3">
        {state.list.map((dub) => (
          <li key={dub.dubbId}>
            <RecordCard actions={actions} dub={dub} isPlaying={playingId === dub.dubbId} nowMs={nowMs} />
          </li>
        ))}
      </ul>
      {state.list.length < state.total && (
        <Button kind="quiet" onClick={() => void loadMore()} pending={state.more === "loading"}>
          {state.more === "loading" ? copy.loadingMore : state.more === "failed" ? copy.again : copy.more}
        </Button>
      )}
    </>
  );
}

const minuteMs = 60_000;

/** The current time, updated every minute for the relative times. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minuteMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
