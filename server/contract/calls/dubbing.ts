import { z } from "zod";
import { aliased, id, idList, numberOr, optional, rowsOf, taskProgress, text } from "./tolerant";
import { content, delivery, format, taskListQuery } from "./voice";

const names = [
  ["content", "text"],
  ["roleId", "audioId"],
];

const lineCreate = aliased(
  names,
  z.object({
    roleId: id(),
    content: content(),
    ...delivery,
    /** Seconds of silence after the line. */
    pauseAfter: optional(numberOr(0).pipe(z.number().min(0).max(10))),
  }),
);

const isOneLine = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !("lines" in value) && ("content" in value || "text" in value);

/** The one-line form `{content, roleId, …}` reads as a dub of one line. */
export const dubCreateRequest = z.preprocess(
  (value) => (isOneLine(value) ? { title: value.title, format: value.format, lines: [value] } : value),
  z.object({ title: optional(z.string().max(100)), lines: z.array(lineCreate).min(1).max(500), format: format() }),
);

const line = aliased(
  names,
  z.object({
    roleId: text(),
    content: text(),
    speed: numberOr(1),
    pitch: optional(numberOr(0)),
    volume: optional(numberOr(0)),
    genre: numberOr(0),
    ext: optional(z.record(z.number())),
    pauseAfter: numberOr(0),
  }),
);

export const dub = aliased(
  [["dubbId", "taskId", "id"]],
  z.object({
    dubbId: id(),
    taskId: id(),
    title: text(),
    lines: rowsOf(line),
    ...taskProgress,
    voiceUrl: text(),
    srtUrl: text(),
    /** Seconds. */
    duration: numberOr(0),
    costChar: numberOr(0),
    /** RFC 3339. */
    createdAt: text(),
  }),
);

/** Sent both as query and as a JSON body on GET; where they differ the body wins. */
export const dubListQuery = taskListQuery;

export const dubDeleteRequest = aliased(
  [["dubbId", "taskId"]],
  z.object({ dubbId: optional(id()), ids: optional(idList()) }).refine(({ dubbId, ids }) => dubbId || ids),
);
