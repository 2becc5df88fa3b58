import type { PassedCall } from "~server/bff/passed-calls.server";
import type { Refusal } from "~server/bff/refusal.server";
import type { UploadName } from "~server/bff/upload.server";
import type { CallInput } from "~server/bff/upstream.server";
import type { CallData } from "~server/contract/calls/table";
import { paths } from "./paths";
import { isAccountsDocument } from "./ui/store";

/** URLs of the resource routes. Separate from paths.ts, which every page loads. */
export const bffPaths = {
  /** A call of the contract that is passed on unchanged: see callApi. */
  passed: (name: PassedCall) => `/bff/calls/${name}`,
  upload: (name: UploadName) => `/bff/uploads/${name}`,
  session: "/bff/session",
  account: "/bff/account",
  accountExport: "/bff/account?export",
  /** View of the digital-human page for the page's own query. */
  rolePage: (query: string) => `/bff/roles${query}`,
  ownVoices: "/bff/voices/own",
  squareVoices: "/bff/voices/square",
  /** Those of these voices that can still be used. */
  keptVoices: (roleIds: readonly string[]) =>
    `/bff/voices/kept?${new URLSearchParams(roleIds.map((id) => ["id", id]))}`,
  squareMore: (query: string) => `/bff/square${query}`,
  trials: "/bff/trials",
  trialResult: (taskId: string) => `/bff/trials?taskId=${encodeURIComponent(taskId)}`,
  /** The account's task events after that event number; from now on if it is null. */
  events: (since: number | null) => (since === null ? "/bff/events" : `/bff/events?since=${since}`),
  consentLinks: "/bff/consents",
  consentLinksOf: (roleId: string) => `/bff/consents?roleId=${encodeURIComponent(roleId)}`,
  exactVoice: "/bff/exact-voice",
  clones: "/bff/clones",
  dubs: "/bff/dubs",
  /** Data of the dubbing page, and the role to add. */
  studio: (roleId: string | null) => `/bff/dubs?studio${roleId ? `&role=${encodeURIComponent(roleId)}` : ""}`,
  dub: (taskId: string) => `/bff/dubs?taskId=${encodeURIComponent(taskId)}`,
  /** The file of a finished dub, saved under the name `download`. */
  dubExport: (dubbId: string, format: string, download: string) =>
    `/bff/dubs?dubbId=${encodeURIComponent(dubbId)}&format=${format}&download=${encodeURIComponent(download)}`,
  orders: "/bff/orders",
  /** POST: whether this session can pay inside WeChat. */
  wechat: "/bff/wechat",
  /** Leads to WeChat's page, which identifies the payer, and back. */
  wechatFrom: (path: string) => `/bff/wechat?from=${encodeURIComponent(path)}`,
  order: (orderId: string) => `/bff/orders?orderId=${encodeURIComponent(orderId)}`,
} as const;

export type { Refusal };

/** A failed call to our server; app/copy/errors.ts has a sentence for each code. */
export class Refused extends Error {
  constructor(
    readonly refusal: Refusal,
    options?: ErrorOptions,
  ) {
    super(refusal.code, options);
  }
}

/** The refusal of any thrown value; `request-failed` for errors other than `Refused`. */
export const refusalOf = (error: unknown): Refusal =>
  error instanceof Refused ? error.refusal : { code: "request-failed" };

/** True if the request may have reached the server although no response arrived. */
const isLost = (error: unknown) => refusalOf(error).code === "network";

interface CallOptions {
  /** GET without a body, else POST. */
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** FormData goes as multipart, anything else as JSON. */
  body?: object | undefined;
  idempotencyKey?: string;
  signal?: AbortSignal | undefined;
  /** Without it the call waits as long as the connection lasts. Ignored with `signal`. */
  timeoutMs?: number | undefined;
}

/** The form of an upload. */
export function toForm(file: Blob, name: string): FormData {
  const form = new FormData();
  form.append("file", file, name);
  return form;
}

/**
 * Calls a URL of `bffPaths` and returns the JSON of its response. All browser code calls our server through this
 * function. Throws `Refused`: with the server's refusal, `network` if no response arrived, `too-large` for a 413 without
 * a refusal, `request-failed` otherwise. Rejects with the abort reason if `signal` aborts.
 */
export async function call<Answer>(path: string, options: CallOptions = {}): Promise<Answer> {
  const { body, idempotencyKey, signal, timeoutMs } = options;
  const isForm = body instanceof FormData;
  const response = await fetch(path, {
    method: options.method ?? (body ? "POST" : "GET"),
    headers: {
      ...(body && !isForm && { "content-type": "application/json" }),
      ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
    signal: signal ?? (timeoutMs ? AbortSignal.timeout(timeoutMs) : null),
  }).catch((cause: unknown) => {
    throw signal?.aborted ? cause : new Refused({ code: "network" }, { cause });
  });
  return readResponse(response.status, await response.json().catch(() => undefined));
}

/** Makes a call of the contract that our server passes on unchanged. Throws `Refused`. */
export const callApi = <N extends PassedCall>(
  name: N,
  input: CallInput<N>,
  options: Pick<CallOptions, "signal" | "timeoutMs" | "idempotencyKey"> = {},
) => call<CallData<N>>(bffPaths.passed(name), { ...options, body: input });

/** Cancels a task, which releases its reserved characters, or runs a failed one again. Throws `Refused`. */
export const changeTask = (taskId: string, act: "cancel" | "retry") =>
  callApi(act === "cancel" ? "taskCancel" : "taskRetry", { taskId });

/** Uploads a form through our server by that call of the contract. Throws `Refused`. */
export const uploadForm = <N extends UploadName>(name: N, body: FormData, signal?: AbortSignal) =>
  call<CallData<N>>(bffPaths.upload(name), { body, signal });

/**
 * The error for a refusal of the server. An expired login (specification section 8) leaves for the login page, for every
 * caller alike, in a new document: what this one holds belongs to the account. Visitors are told what needs a login.
 */
export function toRefused(refusal: Refusal): Refused {
  if (refusal.code === "login-expired" && isAccountsDocument()) {
    // The page that is on its way, if its data found the login expired.
    const { pathname, search, hash } = window.__remixRouter?.state.navigation.location ?? window.location;
    window.location.assign(paths.loginExpiredFrom(pathname + search + hash));
  }
  if (refusal.code === "account-banned" && isAccountsDocument()) window.location.assign(paths.loginBanned);
  return new Refused(refusal);
}

/** The response's JSON, undefined if it has none, where the call succeeded; throws `Refused` otherwise. */
export function readResponse<Answer>(status: number, json: unknown): Answer {
  const refusal = (json as { refusal?: Refusal } | null | undefined)?.refusal;
  if (status >= 200 && status < 300 && json !== undefined && !refusal) return json as Answer;
  throw toRefused(refusal ?? { code: status === 413 ? "too-large" : "request-failed" });
}

/**
 * Builds a call that takes effect once per body: the same body reuses its idempotency key until a response arrives, and
 * a lost response is requested once more. Create it once per page or component, not per request.
 */
export function createIdempotentCall<Body extends object, Answer>(
  path: string,
  { method = "POST", timeoutMs }: Pick<CallOptions, "method" | "timeoutMs"> = {},
) {
  const keys = new Map<string, string>();
  return async (body: Body, signal?: AbortSignal): Promise<Answer> => {
    const content = JSON.stringify(body);
    const idempotencyKey = keys.get(content) ?? randomKey();
    keys.set(content, idempotencyKey);
    const send = () => call<Answer>(path, { method, body, idempotencyKey, signal, timeoutMs });
    try {
      const answer = await send().catch((error: unknown) => {
        if (isLost(error)) return send();
        throw error;
      });
      keys.delete(content);
      return answer;
    } catch (error) {
      if (error instanceof Refused && !isLost(error)) keys.delete(content);
      throw error;
    }
  };
}

/** `crypto.randomUUID` is missing on pages served over plain HTTP. */
const randomKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join("-");
