import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useOutletContext } from "@remix-run/react";
import { operationName } from "~/copy/console";
import { sentenceFor } from "~/copy/errors";
import { DayCharts } from "~/features/console/day-charts";
import { SectionTable } from "~/features/console/section-table";
import { Fault } from "~/ui/feedback";
import { readConsole } from "~server/bff/console.server";
import type { ConsoleMe } from "~server/contract/console";

export const loader = (args: LoaderFunctionArgs) => readConsole(args, "today", {});

/** Today's figures, what waits, and the last days. */
export default function Today() {
  const read = useLoaderData<typeof loader>();
  const me = useOutletContext<ConsoleMe>();
  const sections = "answer" in read ? read.answer.sections : [];
  const days = sections.find(({ name }) => name === "by-day");
  const [today] = days?.rows ?? [];
  return (
    <>
      <h1 className="font-song text-2xl font-semibold">{operationName("today")}</h1>
      {"refusal" in read && <Fault>{sentenceFor(read.refusal)}</Fault>}
      {days && today && (
        <SectionTable operations={[]} section={{ ...days, name: "figures", rows: [today], next: null }} />
      )}
      {days && <DayCharts section={days} />}
      {sections
        .filter((section) => section !== days)
        .map((section) => (
          <SectionTable
            key={section.name}
            operations={me.operations}
            page={{ name: "today", input: {} }}
            section={section}
          />
        ))}
    </>
  );
}
