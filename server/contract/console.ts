import { z } from "zod/v4";

/** Who may do what in the console: `owner` may do all. */
export const operatorRoles = ["owner", "support", "finance", "moderator"] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** Minutes without a request after which a login of the console ends. */
export const consoleIdleMinutes = 30;
/** Minutes for which a code of the authenticator counts as fresh. */
export const freshCodeMinutes = 5;

const cellKinds = ["text", "number", "fen", "time", "json"] as const;
const fieldKinds = ["text", "long", "yuan", "count", "day", "flag", "choice"] as const;
export type CellKind = (typeof cellKinds)[number];
export type FieldKind = (typeof fieldKinds)[number];

/** A table of an operation's answer. */
const consoleSection = z.object({
  name: z.string(),
  columns: z.array(z.object({ key: z.string(), kind: z.enum(cellKinds) })),
  /** Times as RFC 3339, money in fen. */
  rows: z.array(z.record(z.string(), z.unknown())),
  /**
   * Operations offered for each row: which of their fields take which column. `when`: only where this column is set, with
   * "!" before it only where it is not.
   */
  acts: z.array(z.object({ name: z.string(), fill: z.record(z.string(), z.string()), when: z.optional(z.string()) })),
  /** The value of `after` for the next page; null on the last. */
  next: z.string().nullable(),
});
export type ConsoleSection = z.infer<typeof consoleSection>;

export const consoleAnswer = z.object({ sections: z.array(consoleSection) });
export type ConsoleAnswer = z.infer<typeof consoleAnswer>;

const consoleOperation = z.object({
  name: z.string(),
  isRead: z.boolean(),
  needsReason: z.boolean(),
  needsFreshCode: z.boolean(),
  needsSecond: z.boolean(),
  /** The read operation that is shown above the form, with the form's values. */
  preview: z.string().nullable(),
  fields: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(fieldKinds),
      isRequired: z.boolean(),
      choices: z.array(z.string()),
    }),
  ),
});
export type ConsoleOperation = z.infer<typeof consoleOperation>;

export const consoleMe = z.object({
  operator: z.string(),
  role: z.enum(operatorRoles),
  /** `enrol`: the authenticator is not set up yet. `code`: its code is asked for. */
  stage: z.enum(["enrol", "code", "in"]),
  /** A code of the authenticator was given within the last minutes. */
  isFresh: z.boolean(),
  /** `otpauth://…` while the stage is `enrol`. */
  secretUri: z.string().nullable(),
  operations: z.array(consoleOperation),
});
export type ConsoleMe = z.infer<typeof consoleMe>;

export const consoleLogin = z.object({ token: z.string() });
/** Recovery codes are shown once, when the authenticator is set up. */
export const consoleVerified = z.object({ recoveryCodes: z.array(z.string()) });
/** `sections`: what the act answered, such as new codes, which cannot be read again. */
export const consoleDone = z.object({ isWaiting: z.boolean(), sections: z.array(consoleSection).catch([]) });
export type ConsoleDone = z.infer<typeof consoleDone>;
