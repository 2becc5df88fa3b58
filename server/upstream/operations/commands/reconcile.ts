import { dayBounds } from "../../billing/month";
import type { Mistake } from "../../billing/parts";
import { type Command, exitCodes } from "../command";
import { formatMistakes, toListedMistake } from "../mistakes";
import { parseDay, required, requireWords } from "../parse";

export const reconcile: Command = {
  summary: "compare a day's bills of the gateways with our books, and list what was filed that day",
  forms: ["--date YYYY-MM-DD"],
  notes: [
    "Payments nobody had told us of are granted; every difference is filed. Exit code 3: there are differences.",
    "A refund made in a gateway's console is booked and shortens its order; the difference says whether (booked).",
    "The server does this for the day before, every day at half past ten.",
  ],
  values: ["date"],
  read({ words, values }) {
    requireWords(words, []);
    const day = parseDay(required(values.date, "--date"));
    return async ({ operations }) => {
      const found = await operations.reconcile(day);
      const filed = await operations.mistakes({ filed: dayBounds(day) });
      const isAgreed = found.length === 0;
      return {
        data: { day, differences: found.map(toDifference), filed: filed.map(toListedMistake) },
        text: [
          isAgreed ? `${day}: the books agree` : `${day}: differences\n${formatMistakes(found)}`,
          ...(filed.length > 0 ? [`Filed on ${day}\n${formatMistakes(filed)}`] : []),
        ].join("\n\n"),
        exitCode: isAgreed ? exitCodes.done : exitCodes.differences,
      };
    };
  },
};

const toDifference = ({ kind, gateway, ref, orderId, detail }: Mistake) => ({ kind, gateway, ref, orderId, detail });
