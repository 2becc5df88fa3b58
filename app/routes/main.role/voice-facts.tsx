import { vendorVoiceCopy } from "~/copy/consent-link";
import { proofStateCopy, voiceMeasuresCopy } from "~/copy/proof";
import { feeOf, namesOfVendors } from "~/copy/recording";
import { roleDetailCopy, roleListCopy, voiceDesignCopy } from "~/copy/roles";
import { siteCopy } from "~/copy/site";
import { useCapabilities } from "~/state/capabilities";
import { Button } from "~/ui/button";
import type { Role } from "~server/bff/roles.server";
import { useRoleActions } from "./use-role-actions";

/** Offers a vendor's engine to a voice that does not use it yet. */
export function VendorVoice({ role }: { role: Role }) {
  const { vendors } = useCapabilities();
  const { pending, enableVendors } = useRoleActions(role);
  const fee = feeOf(vendors);
  const isUsed = role.isVendorAgreed && (!fee || role.isFeeAccepted);
  if (vendors.length === 0 || isUsed || role.status !== 2 || role.voicePath === "") return null;
  // With an agreement only the vendor that bills is missing.
  const missing = role.isVendorAgreed ? vendors.filter((vendor) => feeOf([vendor])) : vendors;
  const feeText = fee ? vendorVoiceCopy.fee(fee.vendor, fee.amount) : "";
  return (
    <section className="rounded-card border border-line bg-surface p-4 md:p-5">
      <h2 className="text-sm font-semibold">{vendorVoiceCopy.heading}</h2>
      <p className="mt-1 text-sm text-muted">{vendorVoiceCopy.sentence(namesOfVendors(missing)) + feeText}</p>
      <Button className="mt-3" onClick={() => enableVendors(missing, feeText)} pending={pending === "vendors"}>
        {vendorVoiceCopy.go}
      </Button>
    </section>
  );
}

/** The measured voice, and the dates of consent and creation. */
export function VoiceFacts({ role }: { role: Role }) {
  const { measured, consentAt, createdAt, useNum, proof } = role;
  const { engine } = useCapabilities();
  const nature = siteCopy.engines[engine];
  const pace = measured?.syllablesPerSecond;
  // A foreign upstream may say nothing.
  if (!measured && useNum === null && !consentAt && !createdAt && proof !== "proven") return null;
  return (
    <section className="rounded-card border border-line bg-surface p-4 md:p-5">
      {measured && (
        <>
          <h2 className="text-sm font-semibold">
            {voiceMeasuresCopy.heading}
            {nature && <span className="ml-2 text-xs font-normal text-muted">{nature}</span>}
          </h2>
          <dl className="mt-3 grid grid-cols-3 gap-3">
            <Figure term={voiceMeasuresCopy.pitch} value={voiceMeasuresCopy.pitchValue(measured.pitchHz)} />
            <Figure term={voiceMeasuresCopy.range} value={voiceMeasuresCopy.rangeValue(measured.pitchRangeSt)} />
            <Figure
              term={voiceMeasuresCopy.pace}
              value={pace ? voiceMeasuresCopy.paceValue(pace) : voiceMeasuresCopy.unknown}
            />
          </dl>
          {measured.likeness && (
            <dl className="mt-3">
              <Figure
                term={voiceMeasuresCopy.likeness}
                value={voiceMeasuresCopy.likenessValue(measured.likeness.clone)}
              />
              <dd className="m-0 mt-0.5 text-xs text-muted">
                {voiceMeasuresCopy.likenessNote(measured.likeness.self)}
              </dd>
            </dl>
          )}
          <p className="mt-3 text-xs text-muted">
            {role.isDesigned ? voiceDesignCopy.note : voiceMeasuresCopy.note[nature ? "simulated" : "measured"]}
          </p>
        </>
      )}
      <dl
        className={`grid gap-1.5 text-xs text-muted ${measured ? "mt-3 border-t border-dashed border-line pt-3" : ""}`}
      >
        {useNum !== null && useNum > 0 && <Line term={roleDetailCopy.uses} value={roleListCopy.uses(useNum)} />}
        {consentAt && <Line term={roleDetailCopy.consent} value={roleDetailCopy.consentAt(dateOf(consentAt))} />}
        {proof === "proven" && <Line term={proofStateCopy.term} value={proofStateCopy.badge.proven} />}
        {createdAt && <Line term={roleDetailCopy.createdAt} value={dateOf(createdAt)} />}
      </dl>
    </section>
  );
}

/** The date of an RFC 3339 time in its own offset. */
const dateOf = (time: string) => time.slice(0, 10);

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
