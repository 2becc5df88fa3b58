import { useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { bffPaths } from "~/call";
import { cloneRecordsCopy as words } from "~/copy/clone";
import { sentenceFor } from "~/copy/errors";
import { formatDetail } from "~/copy/format";
import { noScriptCopy } from "~/copy/pages";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Notice } from "~/ui/card";
import { LiveRegion, NoScript, SkeletonList } from "~/ui/feedback";
import { Pager } from "~/ui/pager";
import type { CloneRecord } from "~server/bff/generations.server";
import type { Refusal } from "~server/bff/refusal.server";
import { FilterBar, filterQuery, isNarrowed, type RecordsFilter } from "./filter";
import { RecordCard } from "./record-card";
import { statusText } from "./record-result";
import { useRecordActions } from "./use-record-actions";
import type { useRecords } from "./use-records";

interface RecordsProps {
  list: ReturnType<typeof useRecords>;
  filter: RecordsFilter;
  total: number;
  perPage: number;
  refusal: Refusal | null;
  isMember: boolean;
  /** Task id of the record that the latest press made. */
  latestId: string | null;
  onReuse(record: CloneRecord): void;
  onSample(text: string): void;
}

/** The account's generations with filter, selection and pages. */
export function Records(props: RecordsProps) {
  const { list, filter, total, perPage, refusal, isMember, latestId, onReuse, onSample } = props;
  const { records, isUncounted, refresh, setRemoved } = list;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const deselect = (ids: readonly string[]) =>
    setSelected((now) => new Set([...now].filter((id) => !ids.includes(id))));
  const actions = useRecordActions({ isMember, refresh, setRemoved, onRemoved: deselect });
  const isNavigating = useNavigation().location?.pathname === paths.clone;
  const chosen = records.filter(({ taskId }) => selected.has(taskId));
  const select = (ids: readonly string[], isSelected: boolean) =>
    isSelected ? setSelected((now) => new Set([...now, ...ids])) : deselect(ids);
  const isEmpty = records.length === 0;
  const isFiltered = isNarrowed(filter) || filter.page > 1;
  const isPending = list.isPending && isEmpty;

  return (
    <section aria-labelledby="records" className="min-w-0">
      <div className="mb-3 flex items-baseline gap-3">
        <h2 className="scroll-mt-20 font-song text-xl font-semibold" id="records">
          {words.heading}
        </h2>
        {!refusal && total > 0 && !isUncounted && (
          <span className="tabular text-xs text-muted">{words.total(total)}</span>
        )}
      </div>
      {(!isEmpty || isFiltered || refusal || isPending) && <FilterBar filter={filter} />}
      <StatusAnnouncer records={records} />
      <LiveRegion>{isFiltered && !isNavigating && !refusal && !isUncounted ? words.total(total) : ""}</LiveRegion>
      {isPending ? (
        <>
          {/* The records arrive beside the scripts, not after them. */}
          <link as="fetch" crossOrigin="anonymous" href={bffPaths.clones} rel="preload" />
          <NoScript link={noScriptCopy.toRecords} sentence={noScriptCopy.records} to={`${paths.clone}?page=1`} />
          <RecordsSkeleton />
        </>
      ) : isNavigating ? (
        <RecordsSkeleton />
      ) : refusal ? (
        <Notice heading={words.failed.heading} level={3} role="alert" sentence={sentenceFor(refusal)}>
          <Button onClick={refresh}>{words.failed.action}</Button>
        </Notice>
      ) : isEmpty && isFiltered ? (
        <Notice {...words.nothingFound} level={3} to={paths.clone} />
      ) : isEmpty ? (
        <Notice heading={words.empty.heading} level={3} sentence={words.empty.sentence}>
          <p className="rounded bg-wash px-4 py-3 text-left font-song">{words.empty.sample}</p>
          <Button onClick={() => onSample(words.empty.sample)}>{words.empty.action}</Button>
        </Notice>
      ) : (
        <>
          <SelectionBar
            onAll={(isSelected) =>
              select(
                records.map(({ taskId }) => taskId),
                isSelected,
              )
            }
            onRemove={() => void actions.remove(chosen)}
            selected={chosen.length}
            shown={records.length}
          />
          <ul aria-label={words.list} className="grid grid-cols-[minmax(0,1fr)] gap-3">
            {records.map((record) => (
              <RecordCard
                action={actions.pending.get(record.taskId)}
                isLatest={record.taskId === latestId}
                isSelected={selected.has(record.taskId)}
                key={record.taskId}
                onChange={(action) => void actions.change(record, action)}
                onCopy={() => void actions.copy(record)}
                onRemove={() => void actions.remove([record])}
                onReuse={() => onReuse(record)}
                onSelect={(isSelected) => select([record.taskId], isSelected)}
                record={record}
              />
            ))}
          </ul>
        </>
      )}
      <Pager
        isOpen={isUncounted}
        last={Math.ceil(total / perPage)}
        page={filter.page}
        to={(page) => paths.clone + filterQuery(filter, { page })}
        words={words}
      />
    </section>
  );
}

const RecordsSkeleton = () => (
  <SkeletonList className="needs-scripts mt-12 gap-3" label={words.loading} row="h-[150px] rounded-card" />
);

/** Announces the status of the newest running record, or of the last one that ended. */
function StatusAnnouncer({ records }: { records: readonly CloneRecord[] }) {
  const previous = useRef(new Map<string, number>());
  const [ended, setEnded] = useState("");
  useEffect(() => {
    for (const record of records) {
      if (previous.current.get(record.taskId) === 1 && record.status !== 1)
        setEnded(formatDetail([...record.content].slice(0, 12).join(""), statusText(record)));
    }
    previous.current = new Map(records.map(({ taskId, status }) => [taskId, status]));
  }, [records]);
  const running = records.find(({ status }) => status === 1);
  return <LiveRegion>{running ? statusText(running) : ended}</LiveRegion>;
}

interface SelectionBarProps {
  selected: number;
  shown: number;
  onAll(isSelected: boolean): void;
  onRemove(): void;
}

/** Selects all records of the page and removes the selected ones. */
function SelectionBar({ selected, shown, onAll, onRemove }: SelectionBarProps) {
  return (
    <div className="flex min-h-[44px] flex-wrap items-center gap-x-3">
      <label className="flex min-h-[44px] cursor-pointer items-center gap-2.5 pl-3 text-sm text-muted md:pl-4">
        <input
          checked={selected > 0 && selected === shown}
          className="h-5 w-5 cursor-pointer"
          onChange={(event) => onAll(event.target.checked)}
          ref={(box) => {
            if (box) box.indeterminate = selected > 0 && selected < shown;
          }}
          type="checkbox"
        />
        <span>{selected > 0 ? words.selected(selected) : words.selectAll}</span>
      </label>
      {selected > 0 && (
        <span className="ml-auto flex gap-2">
          <Button kind="quiet" onClick={() => onAll(false)}>
            {words.clear}
          </Button>
          <Button className="text-seal" onClick={onRemove}>
            {words.removeMany(selected)}
          </Button>
        </span>
      )}
    </div>
  );
}
