import { useRevalidator } from "@remix-run/react";
import type { ReactNode } from "react";
import { Button } from "~/ui/button";
import { Card, Notice } from "~/ui/card";

interface HistoryListProps<Entry> {
  id: string;
  copy: { heading: string; empty: string; failed: string; again: string };
  /** `failed` if they could not be read. */
  entries: readonly Entry[] | "failed";
  children(entry: Entry): ReactNode;
}

/** A list of the account's history, newest first, with its empty and failed states. */
export function HistoryList<Entry>({ id, copy, entries, children }: HistoryListProps<Entry>) {
  const { revalidate, state } = useRevalidator();
  return (
    <section aria-labelledby={id}>
      <h2 className="mb-3 font-song text-xl font-semibold" id={id}>
        {copy.heading}
      </h2>
      {entries === "failed" ? (
        <Notice role="alert" sentence={copy.failed}>
          <Button onClick={revalidate} pending={state === "loading"}>
            {copy.again}
          </Button>
        </Notice>
      ) : entries.length === 0 ? (
        <Notice sentence={copy.empty} />
      ) : (
        <Card>
          <ul className="divide-y divide-line">{entries.map(children)}</ul>
        </Card>
      )}
    </section>
  );
}
