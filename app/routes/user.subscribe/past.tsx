import { useRevalidator } from "@remix-run/react";
import type { ReactNode } from "react";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Notice } from "~/ui/empty-state";

interface PastProps<Entry> {
  id: string;
  copy: { heading: string; empty: string; failed: string; again: string };
  /** `failed` when they could not be read. */
  entries: readonly Entry[] | "failed";
  children(entry: Entry): ReactNode;
}

/** What happened to the account, newest first, in every state a list can have. */
export function Past<Entry>({ id, copy, entries, children }: PastProps<Entry>) {
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
