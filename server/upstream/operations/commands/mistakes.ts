import type { Anomaly, RecordedAnomaly } from "../../billing/anomalies";
import { dayBounds } from "../../calendar";
import { AppError } from "../../errors";
import { type Act, type Command, type CommandInput, exitCodes } from "../command";
import { formatTable, formatTime, toTime } from "../format";
import { parseChoice, parseDay, parseId, refuseOptions, required, requireWords } from "../parse";

export const mistakes: Command = {
  summary: "list unresolved payment mistakes, or mark one as resolved",
  forms: ["[list] [--date YYYY-MM-DD] [--all]", "resolve MISTAKE --reason TEXT"],
  notes: ["--date: filed on that day. --all: the resolved ones too. A refund that is done resolves what it settles."],
  values: ["date"],
  flags: ["all"],
  read(input) {
    const [name = "list", ...words] = input.words;
    return actions[parseChoice(name, ["list", "resolve"] as const, "mistakes")]({ ...input, words });
  },
};

const actions: Record<"list" | "resolve", (input: CommandInput) => Act> = {
  list({ words, values: { date }, flags }) {
    requireWords(words, []);
    const filed = date === undefined ? undefined : dayBounds(parseDay(date));
    return async ({ operations }) => {
      const found = await operations.mistakes({ filed, isOpen: !flags.all });
      return { data: found.map(toAnomalyJson), text: found.length === 0 ? "no mistakes" : formatAnomalies(found) };
    };
  },
  resolve({ words, reason, ...options }) {
    refuseOptions(options, "mistakes resolve");
    const [mistake = ""] = requireWords(words, ["MISTAKE"]);
    const id = parseId(mistake, "a mistake's id");
    required(reason, "--reason");
    return async ({ operations }) => {
      const resolved = await operations.resolveAnomaly(id);
      return { data: toAnomalyJson(resolved), text: `${resolved.kind} ${resolved.ref} is resolved` };
    };
  },
};

const orderOf = (mistake: Anomaly | RecordedAnomaly) => ("orderId" in mistake ? mistake.orderId : mistake.order_id);

export const formatAnomalies = (mistakes: Array<Anomaly | RecordedAnomaly>): string =>
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

const resolutionOf = ({ resolved_at, resolved_by, resolution }: RecordedAnomaly) =>
  resolved_at ? `${formatTime(resolved_at)} ${resolved_by}: ${resolution}` : "-";

export const toAnomalyJson = (mistake: RecordedAnomaly) => ({
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
      const filed = await operations.mistakes({ filed: dayBounds(day) });
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
