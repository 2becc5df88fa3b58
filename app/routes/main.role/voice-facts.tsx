import { roleDetailCopy, roleListCopy, voiceMeasuresCopy } from "~/copy/roles";
import { siteCopy } from "~/copy/site";
import type { Role } from "~server/bff/roles.server";

/** What was measured, as it was measured, with what it is; and when its speaker agreed. */
export function VoiceFacts({ role }: { role: Role }) {
  const { measured, consentAt, createdAt, useNum } = role;
  const pace = measured?.syllablesPerSecond;
  return (
    <section className="rounded-card border border-line bg-surface p-4 md:p-5">
      {measured && (
        <>
          <h2 className="text-sm font-semibold">
            {voiceMeasuresCopy.heading}
            <span className="ml-2 text-xs font-normal text-muted">{siteCopy.engine}</span>
          </h2>
          <dl className="mt-3 grid grid-cols-3 gap-3">
            <Figure term={voiceMeasuresCopy.pitch} value={voiceMeasuresCopy.pitchValue(measured.pitchHz)} />
            <Figure term={voiceMeasuresCopy.range} value={voiceMeasuresCopy.rangeValue(measured.pitchRangeSt)} />
            <Figure
              term={voiceMeasuresCopy.pace}
              value={pace ? voiceMeasuresCopy.paceValue(pace) : voiceMeasuresCopy.unknown}
            />
          </dl>
          <p className="mt-3 text-xs text-muted">{voiceMeasuresCopy.note}</p>
        </>
      )}
      <dl
        className={`grid gap-1.5 text-xs text-muted ${measured ? "mt-3 border-t border-dashed border-line pt-3" : ""}`}
      >
        {useNum !== null && <Line term={roleDetailCopy.uses} value={roleListCopy.uses(useNum)} />}
        {consentAt && <Line term={roleDetailCopy.consent} value={roleDetailCopy.consentAt(dayOf(consentAt))} />}
        {createdAt && <Line term={roleDetailCopy.createdAt} value={dayOf(createdAt)} />}
      </dl>
    </section>
  );
}

/** The day of a time in RFC 3339, as its own offset has it. */
const dayOf = (time: string) => time.slice(0, 10);

function Figure({ term, value }: { term: string; value: string }) {
  return (
    <div>
      <dt className="text-xs text-muted">{term}</dt>
      <dd className="tabular m-0 mt-0.5 whitespace-nowrap text-sm">{value}</dd>
    </div>
  );
}

function Line({ term, value }: { term: string; value: string }) {
  return (
    <div className="flex gap-3">
      <dt className="w-10 shrink-0">{term}</dt>
      <dd className="tabular m-0">{value}</dd>
    </div>
  );
}
