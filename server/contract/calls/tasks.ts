import { z } from "zod";
import { aliased, id, numberOr, taskProgress } from "./tolerant";

/** GET /tasks/events, server-sent: events of the caller's own tasks after number N. */
export const taskEventsQuery = z.object({ since: numberOr(0).pipe(z.number().int().min(0)) });

/** `data` of one event; its number is the event's id. */
export const taskEvent = z.object({ taskId: id(), ...taskProgress });

export const taskRequest = aliased([["taskId", "voiceId", "dubbId"]], z.object({ taskId: id() }));
