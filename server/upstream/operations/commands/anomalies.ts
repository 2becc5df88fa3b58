import { listAnomalies, type RecordedAnomaly } from "../../billing/anomalies";
import { dayBounds } from "../../calendar";
import { AppError } from "../../errors";
import { exitCodes } from "../command";
import { cutPage, defineOperation, fieldOf, pageFields, pageSize, type Section, toSection } from "../operation";

const acts: Section["acts"] = [
  { name: "anomaly-resolve", fill: { anomaly: "id" }, when: "!resolvedAt" },
  { name: "refund-payment", fill: { number: "transactionId" }, when: "!resolvedAt" },
];

export const toAnomaly = (anomaly: RecordedAnomaly) => ({
  id: anomaly.id,
  kind: anomaly.kind,
  gateway: anomaly.gateway,
  ref: anomaly.ref,
  orderId: anomaly.order_id,
  detail: anomaly.detail,
  transactionId: (anomaly.detail as { transactionId?: string }).transactionId ?? null,
  filedAt: anomaly.created_at,
  resolvedAt: anomaly.resolved_at,
  resolvedBy: anomaly.resolved_by,
  resolution: anomaly.resolution,
});

const columns =
  "kind=anomaly gateway filedAt:time=filed orderId=order ref resolvedAt:time=resolved resolvedBy=by resolution id " +
  "-transactionId detail:json";

/** Recorded anomalies. */
export const anomalySection = (rows: RecordedAnomaly[], next: string | null = null) =>
  toSection("anomalies", columns, rows.map(toAnomaly), { acts, next });

export const anomalyOperations = [
  defineOperation({
    name: "anomalies",
    summary: "list unresolved payment anomalies",
    cli: { words: ["anomalies", "list"], isDefault: true },
    roles: ["finance", "support"],
    isRead: true,
    notes: ["--date: filed on that day. --all: the resolved ones too. A refund that is done resolves what it settles."],
    fields: { date: fieldOf.day("--date").optional(), all: fieldOf.flag("--all").optional(), ...pageFields() },
    async run({ db }, { date, all, limit = pageSize, after }) {
      const filed = date === undefined ? undefined : dayBounds(date);
      const page = cutPage(await listAnomalies(db, { filed, isOpen: !all, after, limit: limit + 1 }), limit);
      return { sections: [anomalySection(page.rows, page.next)], empty: "no anomalies" };
    },
  }),
  defineOperation({
    name: "anomaly-resolve",
    summary: "mark an anomaly as resolved",
    cli: { words: ["anomalies", "resolve"], takes: ["anomaly"] },
    roles: ["finance", "support"],
    needsReason: true,
    fields: { anomaly: fieldOf.id("ANOMALY", "an anomaly's id") },
    async run({ operations }, { anomaly }) {
      const resolved = await operations.resolveAnomaly(anomaly);
      return { data: toAnomaly(resolved), message: `${resolved.kind} ${resolved.ref} is resolved` };
    },
  }),
  defineOperation({
    name: "reconcile",
    summary: "compare a day's bills of the gateways with our books, and list what was filed that day",
    cli: { words: ["reconcile"] },
    roles: ["finance"],
    notes: [
      "Payments without a notification are granted; every difference is filed. Exit code 3: there are differences.",
      "A refund made in a gateway's console is booked and shortens its order; the difference says whether (booked).",
      "The server does this for the day before, every day at half past ten.",
    ],
    fields: { date: fieldOf.day("--date") },
    async run({ operations }, { date }) {
      // Every payment of a day without a bill would be filed as missing.
      if (date >= operations.today())
        throw new AppError("bad-request", `${date} is not over: gateways make its bill the next morning`);
      const found = await operations.reconcile(date);
      const filed = await operations.anomalies({ filed: dayBounds(date) });
      const isAgreed = found.length === 0;
      const differences = toSection("differences", "kind=anomaly gateway orderId=order ref detail:json", found);
      return {
        sections: [differences, anomalySection(filed)],
        data: { day: date, differences: found, filed: filed.map(toAnomaly) },
        ...(isAgreed && filed.length === 0 && { message: `${date}: the books agree` }),
        exitCode: isAgreed ? exitCodes.done : exitCodes.differences,
      };
    },
  }),
];
