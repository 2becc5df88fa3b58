import { useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { cloneRecordsCopy as words } from "~/copy/clone";
import { sentenceFor } from "~/copy/errors";
import { formatDetail } from "~/copy/format";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Notice } from "~/ui/notice";
import { Pager } from "~/ui/pager";
import { Skeleton } from "~/ui/skeleton";
import { LiveRegion } from "~/ui/visually-hidden";
import type { CloneRecord } from "~server/bff/generations.server";
import type { Refusal } from "~server/bff/refusal.server";
import { type Filter, filterQuery, isNarrowed } from "../filter";
import { FilterBar } from "./filter-bar";
import { RecordCard } from "./record-card";
import { stateOf } from "./record-state";
import { SelectionBar } from "./selection-bar";
import { useRecordActions } from "./use-record-actions";
import type { useRecords } from "./use-records";

interface RecordsProps {
  work: ReturnType<typeof useRecords>;
  filter: Filter;
  total: number;
  perPage: number;
  refusal: Refusal | null;
  isMember: boolean;
  onReuse(record: CloneRecord): void;
  onSample(text: string): void;
}

/** Everything the account had spoken, as it is now. */
export function Records({ work, filter, total, perPage, refusal, isMember, onReuse, onSample }: RecordsProps) {
  const { records, refresh, setGone } = work;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const forget = (ids: readonly string[]) => setSelected((now) => new Set([...now].filter((id) => !ids.includes(id))));
  const actions = useRecordActions({ isMember, refresh, setGone, onRemoved: forget });
  const isTurning = useNavigation().location?.pathname === paths.clone;
  const chosen = records.filter(({ taskId }) => selected.has(taskId));
  const select = (ids: readonly string[], isSelected: boolean) =>
    isSelected ? setSelected((now) => new Set([...now, ...ids])) : forget(ids);
  const ids = records.map(({ taskId }) => taskId);
  const isEmpty = records.length === 0;

  return (
    <section aria-labelledby="records" className="min-w-0">
      <div className="mb-3 flex items-baseline gap-3">
        <h2 className="scroll-mt-20 font-song text-xl font-semibold" id="records">
          {words.heading}
        </h2>
        {!refusal && total > 0 && <span className="tabular text-xs text-muted">{words.total(total)}</span>}
      </div>
      {(!isEmpty || isNarrowed(filter) || filter.page > 1 || refusal) && <FilterBar filter={filter} />}
      <Said records={records} />
      {isTurning ? (
        <RecordsSkeleton />
      ) : refusal ? (
        <Notice heading={words.failed.heading} level={3} role="alert" sentence={sentenceFor(refusal)}>
          <Button onClick={refresh}>{words.failed.action}</Button>
        </Notice>
      ) : isEmpty && (isNarrowed(filter) || filter.page > 1) ? (
        <Notice {...words.nothingFound} level={3} to={paths.clone + filterQuery({ keyword: "", status: 0, page: 1 })} />
      ) : isEmpty ? (
        <Notice heading={words.empty.heading} level={3} sentence={words.empty.sentence}>
          <p className="rounded bg-wash px-4 py-3 text-left font-song">{words.empty.sample}</p>
          <Button onClick={() => onSample(words.empty.sample)}>{words.empty.action}</Button>
        </Notice>
      ) : (
        <>
          <SelectionBar
            onAll={(isSelected) => select(ids, isSelected)}
            onRemove={() => actions.remove(chosen)}
            selected={chosen.length}
            shown={records.length}
          />
          <ul aria-label={words.list} className="grid grid-cols-[minmax(0,1fr)] gap-3">
            {records.map((record) => (
              <RecordCard
                acting={actions.acting.get(record.taskId)}
                isSelected={selected.has(record.taskId)}
                key={record.taskId}
                onCancel={() => actions.cancel(record)}
                onCopy={() => actions.copy(record)}
                onRemove={() => actions.remove([record])}
                onRetry={() => actions.retry(record)}
                onReuse={() => onReuse(record)}
                onSelect={(isSelected) => select([record.taskId], isSelected)}
                record={record}
              />
            ))}
          </ul>
        </>
      )}
      <Pager
        last={Math.ceil(total / perPage)}
        page={filter.page}
        to={(page) => paths.clone + filterQuery(filter, { page })}
        words={words}
      />
    </section>
  );
}

function RecordsSkeleton() {
  return (
    <div aria-busy="true" aria-label={words.loading} className="mt-12 grid gap-3" role="status">
      {["a", "b", "c", "d"].map((key) => (
        <Skeleton className="h-[150px] rounded-card" key={key} />
      ))}
    </div>
  );
}

/** Speaks when one ends, and the progress of the newest that runs. */
function Said({ records }: { records: readonly CloneRecord[] }) {
  const before = useRef(new Map<string, number>());
  const [ended, setEnded] = useState("");
  useEffect(() => {
    for (const record of records) {
      if (before.current.get(record.taskId) === 1 && record.status !== 1)
        setEnded(formatDetail([...record.content].slice(0, 12).join(""), stateOf(record, undefined)));
    }
    before.current = new Map(records.map(({ taskId, status }) => [taskId, status]));
  }, [records]);
  const running = records.find(({ status }) => status === 1);
  return <LiveRegion>{running ? stateOf(running, undefined) : ended}</LiveRegion>;
}
