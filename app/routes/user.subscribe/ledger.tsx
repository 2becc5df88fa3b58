import { checkoutCopy } from "~/copy/checkout";
import { formatYuan, joinDetails, joinNames } from "~/copy/format";
import type { History } from "~server/bff/checkout.server";
import type { LedgerEntry } from "~server/contract/calls/users";
import { formatMinute, HistoryList } from "./history-list";

const copy = checkoutCopy.ledger;

/** The kind and what was made or bought. */
function titleOf({ kind, month, isStep, isReferral, subject }: Movement): string {
  if (kind === "expired") return joinDetails(copy.kinds.expired, subject || (isStep ? copy.step : ""));
  const source = month ? copy.month(Number(month.slice(5))) : isStep ? copy.step : isReferral && copy.referral;
  return joinDetails(source || copy.kinds[kind], subject);
}

const bucketsOf = ({ parts }: Movement): string =>
  joinNames(
    parts.map(({ bucket, characters }) => {
      const name = copy.buckets.get(bucket) ?? "";
      return parts.length > 1 ? copy.ofPot(name, characters) : name;
    }),
  );

const untilOf = ({ endsAt }: Movement) => endsAt && copy.until(endsAt.slice(0, 10));

const charactersOf = ({ parts }: Movement) => parts.reduce((sum, { characters }) => sum + characters, 0);

/** The net amount. */
function amountOf(movement: Movement): string {
  const { kind, amountFen } = movement;
  const characters = charactersOf(movement);
  if (amountFen !== 0) return formatYuan(amountFen);
  if (kind === "returned") return copy.nothing;
  if (characters === 0) return kind === "granted" ? copy.time : "";
  return kind === "granted" ? copy.more(characters) : copy.less(characters);
}

/** The outcome; "" if the amount says enough. */
function stateOf(movement: Movement): string {
  const { kind, parts, isGranted } = movement;
  const characters = charactersOf(movement);
  if (kind === "held") return copy.held;
  if (kind === "used") return copy.used;
  if (kind === "returned") return copy.returned(characters);
  if (kind === "paid" && isGranted) return characters > 0 ? copy.arrived(characters) : copy.timeArrived;
  if (kind === "repaid") return parts.length > 0 ? copy.takenBack(characters) : copy.repaid;
  return "";
}

const tones: Partial<Record<Movement["kind"], string>> = { returned: "text-celadon", paid: "text-celadon" };

/** The account's last movements of characters and money, newest first. */
export function Ledger({ movements }: { movements: NonNullable<History<Movement>> }) {
  return (
    <HistoryList
      copy={copy}
      entries={movements}
      name="ledger"
      toRow={(movement) => (
        <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-4 py-3 text-sm md:px-6" key={movement.entryId}>
          <span className="truncate font-semibold">{titleOf(movement)}</span>
          <span className={`tabular text-right ${movement.kind === "held" ? "text-muted" : ""}`}>
            {amountOf(movement)}
          </span>
          <span className="tabular text-xs text-muted">
            {joinDetails(formatMinute(movement.createdAt), bucketsOf(movement), untilOf(movement))}
          </span>
          <span className={`tabular text-right text-xs ${tones[movement.kind] ?? "text-muted"}`}>
            {stateOf(movement)}
          </span>
        </li>
      )}
    />
  );
}

export interface LedgerPart {
  bucket: string;
  characters: number;
}

/** A movement of the account, combined from the ledger entries that belong together. */
export interface Movement {
  /** Id of the movement's last entry, like `createdAt`. */
  entryId: string;
  createdAt: string;
  /**
   * `held`, then `used` or `returned`: a generation's characters · `paid`: a payment with what it bought · `repaid`: a
   * refund with what it takes back · `granted`: without a payment · `expired`.
   */
  kind: "held" | "used" | "returned" | "paid" | "repaid" | "granted" | "expired";
  /** Never negative; empty for time, and if the start is older than the entries read. */
  parts: LedgerPart[];
  amountFen: number;
  /** The purchase has been granted. */
  isGranted: boolean;
  /** `YYYY-MM` for the characters of a month, which old entries have, otherwise "". */
  month: string;
  /** The characters of a step. */
  isStep: boolean;
  /** Brought by a referral. */
  isReferral: boolean;
  /** RFC 3339: when granted characters end; "" if unknown. */
  endsAt: string;
  /** The start of the generated text, the dub's title or the purchase; "" if unknown. */
  subject: string;
}

type SpeechOutcome = "used" | "returned";

/**
 * Combines an account's entries into movements: a generation with its outcome, a payment with its purchase. Both lists
 * are newest first.
 */
export function toMovements(entries: readonly LedgerEntry[]): Movement[] {
  const movements: Array<Movement & { place: number }> = [];
  /** The last movement of each task or order. */
  const latest = new Map<string, Movement & { place: number }>();
  for (const [place, entry] of [...entries].reverse().entries()) {
    const before = latest.get(entry.ref);
    const joined = before && join(before, entry);
    if (joined) {
      Object.assign(before, joined, stampOf(entry), { place });
      continue;
    }
    const begun = { ...begin(entry), place };
    movements.push(begun);
    // What a refund of the order takes or returns is joined to the refund, not to the end of its pack.
    if (begun.kind !== "expired") latest.set(entry.ref, begun);
  }
  return movements.sort((a, b) => b.place - a.place).map(({ place, ...movement }) => movement);
}

const stampOf = ({ entryId, createdAt }: LedgerEntry) => ({ entryId, createdAt });

const partsOf = ({ bucket, characters }: LedgerEntry): LedgerPart[] =>
  bucket === "" ? [] : [{ bucket, characters: Math.abs(characters) }];

const endings: Partial<Record<LedgerEntry["kind"], SpeechOutcome>> = { settle: "used", release: "returned" };

/** Merges an entry into the earlier movement of the same task or order; null if it starts another movement. */
function join(before: Movement, entry: LedgerEntry): Partial<Movement> | null {
  const { kind } = entry;
  if (kind === "reserve" && before.kind === "held") return { parts: [...before.parts, ...partsOf(entry)] };
  const ending = endings[kind];
  // A generation that took from two buckets ends with an entry for each.
  if (ending && (before.kind === "held" || before.kind === ending)) return { kind: ending };
  // A cancelled refund returns the characters it had taken.
  if (kind === "release" && before.kind === "repaid" && before.amountFen === 0) return { kind: "granted" };
  if (kind === "grant" && before.kind === "paid" && !before.isGranted)
    return { isGranted: true, endsAt: entry.endsAt, parts: [...before.parts, ...partsOf(entry)] };
  if (kind === "refund" && before.kind === "repaid" && (before.amountFen === 0 || entry.amountFen === 0))
    return { amountFen: before.amountFen + Math.abs(entry.amountFen), parts: [...before.parts, ...partsOf(entry)] };
  return null;
}

const kinds: Record<LedgerEntry["kind"], Movement["kind"]> = {
  reserve: "held",
  settle: "used",
  release: "returned",
  payment: "paid",
  refund: "repaid",
  grant: "granted",
  expire: "expired",
};

const begin = (entry: LedgerEntry): Movement => ({
  ...stampOf(entry),
  kind: kinds[entry.kind],
  parts: partsOf(entry),
  amountFen: Math.abs(entry.amountFen),
  isGranted: entry.kind === "grant",
  subject: entry.subject,
  month: /^\d{4}-\d{2}$/.test(entry.ref) ? entry.ref : "",
  isStep: /^\d+\/\d+$/.test(entry.ref),
  isReferral: entry.ref.startsWith("referral:"),
  endsAt: entry.endsAt,
});
