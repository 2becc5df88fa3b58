import { z } from "zod/v4";
import { aliased, id, numberOr, orNull, taskProgress } from "./tolerant";

export const taskKinds = ["clone", "dub", "trial", "role"] as const;

/** GET /tasks/events, server-sent: events of the caller's own tasks after number N. */
export const taskEventsQuery = z.object({ since: numberOr(0).pipe(z.number().int().min(0)) });

/** `data` of one event; its number is the event's id. */
export const taskEvent = z.object({
  taskId: id(),
  /** Ours. */
  kind: z.enum(taskKinds).catch("clone"),
  ...taskProgress,
});

/** Ours: what the caller may generate now, shown before the click. */
export const allowance = z.object({
  tier: orNull(z.enum(["vip", "svip"])),
  /** Characters per generation. */
  limit: numberOr(0),
  /** Characters left this month; for accounts without a tier, trials left. */
  left: numberOr(0),
});

export const taskRequest = aliased([["taskId", "voiceId", "dubbId"]], z.object({ taskId: id() }));
