import type { z } from "zod/v4";

/** S written in the specification · F known from the product family · O ours. */
export type Confidence = "S" | "F" | "O";
/** `none`: anyone · `visitor`: a token or x-visitor-id · `user`: a token, else code 5. */
export type Caller = "none" | "visitor" | "user";
/** Transport of a call's request; `query-and-json` is the GET that carries a body as well. */
export type RequestKind = "none" | "query" | "json" | "query-and-json" | "multipart";
/** `json`: the data itself, without the envelope. */
export type AnswerKind = "envelope" | "events" | "bytes" | "json";

export interface Call<
  Request extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
  By extends Caller = Caller,
> {
  method: "GET" | "POST";
  /** Below /api/v1. */
  path: `/${string}`;
  /** Changes nothing: what a page may ask for while it is only being read. */
  isSafe: boolean;
  caller: By;
  sends: RequestKind;
  answers: AnswerKind;
  /** Of answers in bytes, or besides the envelope. */
  contentTypes?: readonly string[];
  confidence: Confidence;
  request: Request;
  /** The envelope's `data`. */
  data: Data;
}

type CallOptions = Partial<Pick<Call, "isSafe" | "caller" | "sends" | "answers" | "contentTypes" | "confidence">>;

/** A row of the table of calls: what is not said of it is as for a call of the specification by a logged-in user. */
export function call<R extends z.ZodType, D extends z.ZodType, const O extends CallOptions = { caller: "user" }>(
  route: `${"GET" | "POST"} /${string}`,
  request: R,
  data: D,
  options?: O,
): Call<R, D, O extends { caller: infer By extends Caller } ? By : "user"> {
  const [method, path] = route.split(" ") as ["GET" | "POST", `/${string}`];
  const isSafe = method === "GET";
  const usual = {
    isSafe,
    caller: "user",
    sends: isSafe ? "query" : "json",
    answers: "envelope",
    confidence: "S",
  } as const;
  return { method, path, ...usual, request, data, ...options } as ReturnType<typeof call<R, D, O>>;
}
