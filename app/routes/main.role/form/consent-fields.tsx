import { useId } from "react";
import { consentTexts, feeOf, namesOfVendors } from "~/copy/recording";
import { roleFormCopy } from "~/copy/roles";
import { RecordPanel } from "~/features/reference/record-panel";
import type { Reference } from "~/features/reference/reference";
import { useCapabilities } from "~/state/capabilities";
import { RadioGroup } from "~/ui/fields";
import { Icon } from "~/ui/icons/icon";
import { consentStatementFor } from "~server/contract/consent";

/** Consent by reading the statement aloud or by a checkbox. The checkbox is not restored after a reload. */
export interface Consent {
  way: "read" | "confirm";
  spoken: Reference | null;
  isConfirmed: boolean;
  /** Accepts the vendor's one-time charge per voice. Not restored after a reload. */
  acceptsFee: boolean;
}

export const noConsent: Consent = { way: "read", spoken: null, isConfirmed: false, acceptsFee: false };

/** A refused recording is no consent. */
export const isGiven = ({ way, spoken, isConfirmed }: Consent) =>
  way === "read" ? spoken !== null && spoken.quality?.verdict !== "refused" : isConfirmed;

interface ConsentFieldsProps {
  consent: Consent;
  onChange(change: Partial<Consent>): void;
  onPlay(): void;
}

const words = roleFormCopy.consent;
const ways = (["read", "confirm"] as const).map((value) => ({ value, label: words.ways[value] }));

/** Shown instead of the ways to consent where the recording of the voice contains it. */
export const ReadConsent = ({ isDone }: { isDone: boolean }) => (
  <p className="flex items-center gap-2 text-sm" role="status">
    {isDone && <Icon className="shrink-0 text-celadon" name="check" size={18} />}
    {isDone ? words.inReading : words.byReading}
  </p>
);

export function ConsentFields({ consent, onChange, onPlay }: ConsentFieldsProps) {
  const id = useId();
  const { vendors } = useCapabilities();
  const statement = consentTexts[consentStatementFor(vendors.length > 0)];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="text-xs text-muted">{words.sentence}</p>
      <RadioGroup label={words.label} onChange={(way) => onChange({ way })} options={ways} value={consent.way} />
      {consent.way === "read" ? (
        <RecordPanel
          onPlay={onPlay}
          onReference={(spoken) => onChange({ spoken })}
          onUpload={() => onChange({ way: "confirm" })}
          reference={consent.spoken}
          sentence={statement}
          uploadLabel={words.ways.confirm}
        />
      ) : (
        <div className="rounded bg-wash px-4 py-3.5">
          <p className="font-song text-lg font-medium leading-relaxed" id={`${id}-statement`}>
            {statement}
          </p>
          <label className="mt-1 flex min-h-[44px] cursor-pointer items-center gap-3" htmlFor={`${id}-confirm`}>
            <input
              aria-describedby={`${id}-statement`}
              checked={consent.isConfirmed}
              className="h-5 w-5 shrink-0"
              id={`${id}-confirm`}
              onChange={(event) => onChange({ isConfirmed: event.target.checked })}
              type="checkbox"
            />
            {words.confirm}
          </label>
        </div>
      )}
      {vendors.length > 0 && <p className="text-xs text-muted">{words.vendors(namesOfVendors(vendors))}</p>}
      <FeeField accepts={consent.acceptsFee} onChange={(acceptsFee) => onChange({ acceptsFee })} vendors={vendors} />
    </div>
  );
}

interface FeeFieldProps {
  accepts: boolean;
  onChange(accepts: boolean): void;
  vendors: readonly string[];
}

/** Accepts a vendor's one-time charge per voice; renders nothing without such a vendor. */
function FeeField({ accepts, onChange, vendors }: FeeFieldProps) {
  const id = useId();
  const fee = feeOf(vendors);
  if (!fee) return null;
  return (
    <div className="rounded bg-wash px-4 py-2">
      <label className="flex min-h-[44px] cursor-pointer items-center gap-3" htmlFor={`${id}-fee`}>
        <input
          aria-describedby={`${id}-hint`}
          checked={accepts}
          className="h-5 w-5 shrink-0"
          id={`${id}-fee`}
          onChange={(event) => onChange(event.target.checked)}
          type="checkbox"
        />
        {words.fee(fee.vendor)}
      </label>
      <p className="mb-1.5 text-xs text-muted" id={`${id}-hint`}>
        {words.feeHint(fee.vendor, fee.amount)}
      </p>
    </div>
  );
}
