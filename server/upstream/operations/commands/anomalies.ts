import type { Anomaly, RecordedAnomaly } from "../../billing/anomalies";
import { dayBounds } from "../../calendar";
import { AppError } from "../../errors";
import { type Act, type Command, type CommandInput, exitCodes } from "../command";
import { formatTable, formatTime, toTime } from "../format";
import { parseChoice, parseDay, parseId, refuseOptions, required, requireWords } from "../parse";

export const anomalies: Command = {
  summary: "list unresolved payment anomalies, or mark one as resolved",
  forms: ["[list] [--date YYYY-MM-DD] [--all]", "resolve ANOMALY --reason TEXT"],
  notes: ["--date: filed on that day. --all: the resolved ones too. A refund that is done resolves what it settles."],
  values: ["date"],
  flags: ["all"],
  read(input) {
    const [name = "list", ...words] = input.words;
    return actions[parseChoice(name, ["list", "resolve"] as const, "anomalies")]({ ...input, words });
  },
};

const actions: Record<"list" | "resolve", (input: CommandInput) => Act> = {
  list({ words, values: { date }, flags }) {
    requireWords(words, []);
    const filed = date === undefined ? undefined : dayBounds(parseDay(date));
    return async ({ operations }) => {
      const found = await operations.anomalies({ filed, isOpen: !flags.all });
      return { data: found.map(toAnomalyJson), text: found.length === 0 ? "no anomalies" : formatAnomalies(found) };
    };
  },
  resolve({ words, reason, ...options }) {
    refuseOptions(options, "anomalies resolve");
    const [anomaly = ""] = requireWords(words, ["ANOMALY"]);
    const id = parseId(anomaly, "an anomaly's id");
    required(reason, "--reason");
    return async ({ operations }) => {
      const resolved = await operations.resolveAnomaly(id);
      return { data: toAnomalyJson(resolved), text: `${resolved.kind} ${resolved.ref} is resolved` };
    };
  },
};

const orderOf = (anomaly: Anomaly | RecordedAnomaly) => ("orderId" in anomaly ? anomaly.orderId : anomaly.order_id);

export const formatAnomalies = (anomalies: Array<Anomaly | RecordedAnomaly>): string =>
  formatTable(
    anomalies.map((anomaly) => ({
      anomaly: anomaly.kind,
      gateway: anomaly.gateway,
      ...("created_at" in anomaly && { filed: formatTime(anomaly.created_at) }),
      order: orderOf(anomaly) ?? "-",
      ref: anomaly.ref,
      ...("created_at" in anomaly && { resolved: resolutionOf(anomaly), id: anomaly.id }),
      detail: JSON.stringify(anomaly.detail),
    })),
  );

const resolutionOf = ({ resolved_at, resolved_by, resolution }: RecordedAnomaly) =>
  resolved_at ? `${formatTime(resolved_at)} ${resolved_by}: ${resolution}` : "-";

export const toAnomalyJson = (anomaly: RecordedAnomaly) => ({
  id: anomaly.id,
  kind: anomaly.kind,
  gateway: anomaly.gateway,
  ref: anomaly.ref,
  orderId: anomaly.order_id,
  detail: anomaly.detail,
  filedAt: toTime(anomaly.created_at),
  resolvedAt: toTime(anomaly.resolved_at),
  resolvedBy: anomaly.resolved_by,
  resolution: anomaly.resolution,
});

export const reconcile: Command = {
  summary: "compare a day's bills of the gateways with our books, and list what was filed that day",
  forms: ["--date YYYY-MM-DD"],
  notes: [
    "Payments without a notification are granted; every difference is filed. Exit code 3: there are differences.",
    "A refund made in a gateway's console is booked and shortens its order; the difference says whether (booked).",
    "The server does this for the day before, every day at half past ten.",
  ],
  values: ["date"],
  read({ words, values }) {
    requireWords(words, []);
    const day = parseDay(required(values.date, "--date"));
    return async ({ operations }) => {
      // Every payment of a day without a bill would be filed as missing.
      if (day >= operations.today())
        throw new AppError("bad-request", `${day} is not over: gateways make its bill the next morning`);
      const found = await operations.reconcile(day);
      const filed = await operations.anomalies({ filed: dayBounds(day) });
      const isAgreed = found.length === 0;
      return {
        data: { day, differences: found.map(toDifference), filed: filed.map(toAnomalyJson) },
        text: [
          isAgreed ? `${day}: the books agree` : `${day}: differences\n${formatAnomalies(found)}`,
          ...(filed.length > 0 ? [`Filed on ${day}\n${formatAnomalies(filed)}`] : []),
        ].join("\n\n"),
        exitCode: isAgreed ? exitCodes.done : exitCodes.differences,
      };
    };
  },
};

const toDifference = ({ kind, gateway, ref, orderId, detail }: Anomaly) => ({ kind, gateway, ref, orderId, detail });
