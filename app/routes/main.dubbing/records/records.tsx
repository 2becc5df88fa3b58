import { useEffect, useState } from "react";
import { dubbingRecordsCopy as words } from "~/copy/dubbing-records";
import { sentenceFor } from "~/copy/errors";
import { formatDetail } from "~/copy/format";
import { Button } from "~/ui/button";
import { Notice } from "~/ui/notice";
import { SearchInput } from "~/ui/search-input";
import { Skeleton } from "~/ui/skeleton";
import { type RecordActions, RecordCard } from "./record-card";
import type { useRecords } from "./use-records";

interface RecordsProps extends RecordActions {
  shelf: ReturnType<typeof useRecords>;
  isLoggedIn: boolean;
  onLogIn(): void;
  /** The dub that sounds now. */
  playing: string | null;
}

/** The account's dubs beside the script, in every state a list can have. */
export function DubRecords({ shelf, isLoggedIn, onLogIn, playing, ...actions }: RecordsProps) {
  const { records, keyword, setKeyword } = shelf;
  const hasSearch = records.total > 4 || keyword !== "";
  return (
    <section aria-label={words.heading} className="grid content-start gap-3">
      <h2 className="text-base font-semibold leading-10">{words.heading}</h2>
      {isLoggedIn && hasSearch && (
        <SearchInput label={words.search} onChange={(event) => setKeyword(event.target.value)} value={keyword} />
      )}
      {isLoggedIn ? (
        <Shelf actions={actions} playing={playing} shelf={shelf} />
      ) : (
        <Notice sentence={words.visitor}>
          <Button onClick={onLogIn}>{words.login}</Button>
        </Notice>
      )}
    </section>
  );
}

function Shelf({ shelf, playing, actions }: Pick<RecordsProps, "shelf" | "playing"> & { actions: RecordActions }) {
  const { records, keyword, retry, more } = shelf;
  const nowMs = useNow();
  if (records.phase === "loading") {
    return (
      <div aria-busy="true" aria-label={words.loading} className="grid gap-3" role="status">
        {["a", "b", "c"].map((key) => (
          <Skeleton className="h-[104px] rounded-card" key={key} />
        ))}
      </div>
    );
  }
  if (records.phase === "failed") {
    return (
      <Notice
        role="alert"
        sentence={records.refusal ? formatDetail(words.failed, sentenceFor(records.refusal)) : words.failed}
      >
        <Button onClick={retry}>{words.again}</Button>
      </Notice>
    );
  }
  if (records.list.length === 0) return <Notice sentence={keyword ? words.nothingFound : words.empty} />;
  return (
    <>
      <ul aria-label={words.list} className="grid gap-3">
        {records.list.map((dub) => (
          <li key={dub.dubbId}>
            <RecordCard dub={dub} isPlaying={playing === dub.dubbId} nowMs={nowMs} {...actions} />
          </li>
        ))}
      </ul>
      {records.list.length < records.total && (
        <Button kind="quiet" onClick={() => void more()} pending={records.more === "loading"}>
          {records.more === "loading" ? words.loadingMore : records.more === "failed" ? words.again : words.more}
        </Button>
      )}
    </>
  );
}

const minuteMs = 60_000;

/** "刚刚" does not stay true. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minuteMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
