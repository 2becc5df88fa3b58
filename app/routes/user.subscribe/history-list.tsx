import { Link, useRevalidator, useSearchParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { checkoutCopy } from "~/copy/checkout";
import { Button, buttonClass } from "~/ui/button";
import { Card, Notice } from "~/ui/card";
import type { History } from "~server/bff/checkout.server";

/** "2026-11-21 09:30" from an RFC 3339 time in Shanghai's zone. */
export const formatMinute = (time: string) => time.slice(0, 16).replace("T", " ");

type HistoryName = "orders" | "ledger";

/** How many pages of each list the address shows. */
export const pagesIn = (query: URLSearchParams): Record<HistoryName, number> => ({
  orders: readCount(query.get("orders")),
  ledger: readCount(query.get("ledger")),
});

const readCount = (text: string | null) => (text && /^[1-9]\d?$/.test(text) ? Number(text) : 1);

interface HistoryListProps<Entry> {
  name: HistoryName;
  copy: { heading: string; empty: string; failed: string; again: string };
  entries: NonNullable<History<Entry>>;
  toRow(entry: Entry): ReactNode;
  /** Entries that are folded below the others. */
  isFolded?(entry: Entry): boolean;
}

/** A list of the account's history, newest first, with its empty and failed states. */
export function HistoryList<Entry>({ name, copy, entries, toRow, isFolded }: HistoryListProps<Entry>) {
  const { revalidate, state } = useRevalidator();
  return (
    <section aria-labelledby={name}>
      <h2 className="mb-3 font-song text-xl font-semibold" id={name}>
        {copy.heading}
      </h2>
      {entries === "failed" ? (
        <Notice role="alert" sentence={copy.failed}>
          <Button onClick={revalidate} pending={state === "loading"}>
            {copy.again}
          </Button>
        </Notice>
      ) : (
        <Entries copy={copy} list={entries.list} isFolded={isFolded} toRow={toRow} />
      )}
      {entries !== "failed" && entries.hasMore && <More name={name} />}
    </section>
  );
}

type EntriesProps<Entry> = Pick<HistoryListProps<Entry>, "copy" | "toRow" | "isFolded"> & { list: Entry[] };

function Entries<Entry>({ copy, list, toRow, isFolded = () => false }: EntriesProps<Entry>) {
  const folded = list.filter(isFolded);
  const open = list.filter((entry) => !isFolded(entry));
  return (
    <>
      {open.length === 0 ? <Notice sentence={copy.empty} /> : <Rows>{open.map(toRow)}</Rows>}
      {folded.length > 0 && (
        <details className="mt-3">
          <summary className="inline-flex min-h-[44px] cursor-pointer items-center text-sm text-muted underline underline-offset-4">
            {checkoutCopy.orders.unfinished(folded.length)}
          </summary>
          <Rows>{folded.map(toRow)}</Rows>
        </details>
      )}
    </>
  );
}

const Rows = ({ children }: { children: ReactNode }) => (
  <Card>
    <ul className="divide-y divide-line">{children}</ul>
  </Card>
);

/** Reads one page more, and leaves the other list as it is. */
function More({ name }: { name: HistoryName }) {
  const [query] = useSearchParams();
  const next = new URLSearchParams(query);
  next.set(name, String(pagesIn(query)[name] + 1));
  return (
    <Link className={`${buttonClass()} mt-3 w-full`} preventScrollReset replace to={`?${next}`}>
      {checkoutCopy.moreHistory}
    </Link>
  );
}
