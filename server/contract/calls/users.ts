import { z } from "zod/v4";
import { codeResendSeconds, codeTtlSeconds, trialMax } from "../limits";
import {
  answered,
  flag,
  id,
  inField,
  numberOr,
  optional,
  orNull,
  pageQuery,
  rowsOf,
  text,
  unixSeconds,
} from "./tolerant";

/** 11 digits, the first 1, the second 3 to 9. */
export const phonePattern = /^1[3-9]\d{9}$/;
const phone = () => z.string().trim().regex(phonePattern);

export const captchaRequest = z.object({ phone: phone() });
export const captchaSent = z.preprocess(
  (value) => (typeof value === "object" ? (value ?? {}) : {}),
  z.object({
    /** Seconds a code lives, and until another may be asked for. */
    ttl: numberOr(codeTtlSeconds),
    resend: numberOr(codeResendSeconds),
    /** The code itself; demo mode only. */
    demoCode: optional(z.string()),
  }),
);

const verifyCode = () => z.string().regex(/^\d{6}$/);
export const loginRequest = z.object({
  phone: phone(),
  verifyCode: verifyCode(),
  /** Ours: the code of the account that referred a new one. */
  referral: optional(z.string().max(32)),
});
/** Ours: the account's link for others, and what it brings; "" and 0 where there are no referrals. */
export const referral = z.object({
  code: text(),
  /** For each of the two, after the other one's first payment. */
  characters: numberOr(0),
  /** How many a calendar month count for the account, and how many have. */
  monthMax: numberOr(0),
  rewarded: numberOr(0),
});
export const loggedIn = z.preprocess(
  inField("token"),
  answered(
    [["token", "accessToken", "authToken", "jwt"]],
    z.object({ token: z.string().min(1).max(4096), expireAt: optional(unixSeconds()) }),
  ),
);

const bucket = z.object({ total: numberOr(0), used: numberOr(0), left: numberOr(0) });
/** Unix seconds; 0 if unknown. */
const span = { startsAt: numberOr(0), endsAt: numberOr(0) };
const bucketName = z.enum(["vip", "svip", "pack"]);

/** GET /users/info; quotas are characters. */
const userFields = z.object({
  vipExpire: unixSeconds(),
  svipExpire: unixSeconds(),
  isMonthly: flag(),
  phone: text(),
  tryNum: numberOr(0),
  tryMax: numberOr(trialMax),
  quota: orNull(z.object({ vip: bucket, svip: bucket, pack: bucket })),
  /** Unix seconds: when the next step's characters begin, or the running ones end; 0 without. */
  resetAt: unixSeconds(),
  /** Ours: the characters that can be used now, in order of use, each with its end. */
  buckets: rowsOf(bucket.extend({ bucket: bucketName, ...span })).catch([]),
  /** Ours: the paid step of 30 days that begins next. `canStart`: it may be started early, as the running one is used up. */
  nextStep: orNull(z.object({ bucket: bucketName, characters: numberOr(0), ...span, canStart: flag() })),
});
export const userInfo = answered([["phone", "mobile"], ["vipExpire"], ["svipExpire"], ["tryNum"]], userFields);

/** Ours: every character and fen in and out. */
export const ledgerQuery = z.object(pageQuery);
export const ledgerEntry = z.object({
  entryId: id(),
  kind: z.enum(["grant", "reserve", "settle", "release", "payment", "refund", "expire"]),
  bucket: text(),
  /** Signed. */
  characters: numberOr(0),
  /** Signed. */
  amountFen: numberOr(0),
  /** The task, the order or the period it belongs to. With `expire` and unused steps, all lines add up to the balance. */
  ref: text(),
  /** The start of the generated text, the dub's title or the purchase; "" for anything else. */
  subject: text(),
  /** Ours, of a grant of characters: when they end; "" otherwise. */
  endsAt: text(),
  createdAt: text(),
});
export type LedgerEntry = z.output<typeof ledgerEntry>;

/** Ours: whether the account agreed to download without the audible mark, and whether it has the tier that this needs. */
export const audibleMark = z.object({
  isWaived: flag(),
  isMember: flag(),
  /** RFC 3339; "" without an agreement. */
  agreedAt: text(),
});
/** Ours: agrees, by the hash of the text that was shown, or takes the agreement back. */
export const audibleMarkChangeRequest = z.object({ isWaived: z.boolean(), sha256: optional(z.string().max(64)) });

/** Ours: whether the account gets text messages about payments and the end of its membership. */
export const messages = z.object({ isOn: flag() });
export const messagesChangeRequest = z.object({ isOn: z.boolean() });

/** Ours: `verifyCode` is the code that POST /users/delete/code sent to the account's phone. */
export const accountDeleteRequest = z.object({ verifyCode: verifyCode() });
/** Ours: the account and all in it is gone. */
export const accountDeleted = z.object({
  receiptId: id(),
  deletedAt: text(),
  removed: z.object({ roles: numberOr(0), clones: numberOr(0), dubs: numberOr(0), files: numberOr(0) }),
});
