import { checkoutCopy } from "~/copy/checkout";
import { formatYuan } from "~/copy/format";
import { minuteOf } from "./minute";
import type { Movement } from "./movements";
import { Past } from "./past";

const copy = checkoutCopy.ledger;

/** What it was, and of which pot. */
function titleOf({ kind, parts, month }: Movement): string {
  const pots = parts.map(({ bucket, characters }) => {
    const name = copy.buckets.get(bucket) ?? "";
    return parts.length > 1 ? copy.ofPot(name, characters) : name;
  });
  return [month ? copy.month(Number(month.slice(5))) : copy.kinds[kind], pots.join("、")].filter(Boolean).join(" · ");
}

const charactersOf = ({ parts }: Movement) => parts.reduce((sum, { characters }) => sum + characters, 0);

/** What it took or gave in the end. */
function amountOf(movement: Movement): string {
  const { kind, amountFen } = movement;
  const characters = charactersOf(movement);
  if (amountFen !== 0) return formatYuan(amountFen);
  if (kind === "returned") return copy.nothing;
  if (characters === 0) return kind === "granted" ? copy.time : "";
  return kind === "granted" ? copy.more(characters) : copy.less(characters);
}

/** What became of it; nothing where the amount says it all. */
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

/** The account's last movements of characters and money, newest first; `failed` when they could not be read. */
export function Ledger({ movements }: { movements: readonly Movement[] | "failed" }) {
  return (
    <Past copy={copy} entries={movements} id="ledger">
      {(movement) => (
        <li className="grid grid-cols-[1fr_auto] gap-x-4 px-4 py-3 text-sm md:px-6" key={movement.entryId}>
          <span className="font-semibold">{titleOf(movement)}</span>
          <span className={`tabular text-right ${movement.kind === "held" ? "text-muted" : ""}`}>
            {amountOf(movement)}
          </span>
          <span className="tabular text-xs text-muted">{minuteOf(movement.createdAt)}</span>
          <span className={`tabular text-right text-xs ${tones[movement.kind] ?? "text-muted"}`}>
            {stateOf(movement)}
          </span>
        </li>
      )}
    </Past>
  );
}
