import type { FiledMistake } from "../billing/orders/search";
import type { Mistake } from "../billing/parts";
import { formatTime, toTime } from "./show";
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
      detail: JSON.stringify(mistake.detail),
    })),
  );

export const toListedMistake = (mistake: FiledMistake) => ({
  kind: mistake.kind,
  gateway: mistake.gateway,
  ref: mistake.ref,
  orderId: mistake.order_id,
  detail: mistake.detail,
  filedAt: toTime(mistake.created_at),
});
