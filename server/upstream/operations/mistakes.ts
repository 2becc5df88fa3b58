import type { FiledMistake } from "../billing/orders/search";
import type { Mistake } from "../billing/parts";
import { formatTime, toTime } from "./format";
import { formatTable } from "./table";

const orderOf = (mistake: Mistake | FiledMistake) => ("orderId" in mistake ? mistake.orderId : mistake.order_id);

export const formatMistakes = (mistakes: Array<Mistake | FiledMistake>): string =>
  formatTable(
    mistakes.map((mistake) => ({
      mistake: mistake.kind,
      gateway: mistake.gateway,
      ...("created_at" in mistake && { filed: formatTime(mistake.created_at) }),
      order: orderOf(mistake) ?? "-",
      ref: mistake.ref,
      ...("created_at" in mistake && { resolved: resolutionOf(mistake), id: mistake.id }),
      detail: JSON.stringify(mistake.detail),
    })),
  );

const resolutionOf = ({ resolved_at, resolved_by, resolution }: FiledMistake) =>
  resolved_at ? `${formatTime(resolved_at)} ${resolved_by}: ${resolution}` : "-";

export const toListedMistake = (mistake: FiledMistake) => ({
  id: mistake.id,
  kind: mistake.kind,
  gateway: mistake.gateway,
  ref: mistake.ref,
  orderId: mistake.order_id,
  detail: mistake.detail,
  filedAt: toTime(mistake.created_at),
  resolvedAt: toTime(mistake.resolved_at),
  resolvedBy: mistake.resolved_by,
  resolution: mistake.resolution,
});
