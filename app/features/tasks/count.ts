import { track } from "~/analytics-events";
import type { TaskEvent } from "./feed";

/** Tells what became of a task, once it has ended. Trials are told where they are made, by visitors too. */
export function countEnd({ kind, status, msg }: Pick<TaskEvent, "kind" | "status" | "msg">) {
  if (kind === "trial" || status === 1) return;
  if (status === 2) track("generated", { where: kind });
  else track("generation_failed", { where: kind, why: msg });
}
