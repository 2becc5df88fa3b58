import { Readable } from "node:stream";
import type { Context } from "hono";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import type { z } from "zod/v4";
import { taskEventsQuery } from "~server/contract/calls/tasks";
import { charactersFree, unitsPerCharacter } from "~server/contract/limits";
import { countCharacters } from "~server/contract/marks";
import { toWebStream } from "~server/web-stream";
import { AppError } from "../errors";
import type { Owner } from "../owner";
import { type Auth, addressOf } from "./auth";
import { createCallRoutes, idsOf } from "./calls";
import { conditionsOf, toResponse } from "./files";
import { parse, parseContent } from "./parse";
import type { ApiParts } from "./parts";

interface AgreedRequest {
  voicePath?: string | undefined;
  consent?: { statementId: string } | undefined;
}

/** Texts spoken by a role or a recording: clones for accounts, trials for visitors too. */
export function createCloneRoutes({ recordings, clones, trials }: ApiParts, auth: Auth) {
  /** Records the agreement that comes with a request. */
  const agree = async (owner: Owner, address: string, { consent, voicePath }: AgreedRequest) => {
    if (consent && voicePath) await recordings.agree(owner, { voicePath, statementId: consent.statementId, address });
  };
  return createCallRoutes(
    auth,
    {
      async cloneCreate(request, { owner, address, ...origin }) {
        await agree(owner, address, request);
        return clones.create(owner, request, origin);
      },
      cloneList: (query, { owner }) => clones.list(owner, query),
      cloneDelete: ({ voiceId, ids }, { owner }) => clones.remove(owner, idsOf(voiceId, ids)),
      async trialCreate(request, { owner, address, idempotencyKey }) {
        await agree(owner, address, request);
        return trials.create({ owner, address }, request, idempotencyKey);
      },
      trialResult: ({ taskId = "" }, { owner }) => trials.result(owner, taskId),
    },
    { cloneCreate: parseContent, trialCreate: parseContent },
  );
}

/** Films of finished sounds, and the list of results of all kinds. */
export const createVideoRoutes = ({ videos, videoTemplates, listWorks }: ApiParts, auth: Auth) =>
  createCallRoutes(auth, {
    videoCreate: (request, { owner, idempotencyKey }) => videos.create(owner, request, idempotencyKey),
    videoList: (query, { owner }) => videos.list(owner, query),
    videoTemplates: (_, { accountId }) => videoTemplates.list(accountId),
    videoTemplatePut: (template, { accountId }) => videoTemplates.put(accountId, template),
    videoTemplateDelete: ({ name }, { accountId }) => videoTemplates.remove(accountId, name),
    videoDelete: ({ videoId, ids }, { owner }) => videos.remove(owner, idsOf(videoId, ids)),
    workList: (query, { owner }) => listWorks(owner, query),
  });

/** Scripts spoken line by line, for accounts. */
export const createDubRoutes = ({ dubs, exportDub }: ApiParts, auth: Auth) =>
  createCallRoutes(
    auth,
    {
      dubCreate: (request, { owner, ...origin }) => dubs.create(owner, request, origin),
      dubQuote: ({ lines }, { owner }) => dubs.quote(owner, lines),
      // Some callers send a GET body, which the host moves into the query.
      dubList: (query, { owner }) => dubs.list(owner, query),
      dubDelete: ({ dubbId, ids }, { owner }) => dubs.remove(owner, idsOf(dubbId, ids)),
      async dubExport(query, { owner, c }) {
        const { fileName, mime, body } = await exportDub(owner, query);
        c.header("content-type", mime);
        c.header("content-disposition", `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`);
        c.header("x-content-type-options", "nosniff");
        return c.newResponse(toWebStream(Readable.from(body)));
      },
    },
    { dubCreate: parseLines, dubQuote: parseLines },
  );

/** Throws text-empty or text-too-long with the `line` for a text of the wrong length, bad-request for other faults. */
function parseLines<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const issues = schema.safeParse(body).error?.issues ?? [];
  const issue = issues.find(({ path }) => path[0] === "lines" && path.at(-1) === "content");
  const data = { line: Number(issue?.path[1] ?? 0) };
  if (issue?.code === "too_small") throw new AppError("text-empty", "no text", { data });
  if (issue?.code === "too_big") throw new AppError("text-too-long", "text is too long", { data });
  return parse(schema, body);
}

const heartbeatMs = 15_000;
const reconnectMs = 2000;

/** Open event streams of an account, a visitor, and all visitors of an address: each tab of a browser has one. */
const streamsMax = { owner: 20, address: 200 };

/** Counts what is open. Throws too-many (429) beyond a limit; the result closes it. */
function createStreamCounter() {
  const open = new Map<string, number>();
  const countOf = (key: string) => open.get(key) ?? 0;
  return (limits: ReadonlyArray<readonly [string, number]>): (() => void) => {
    if (limits.some(([key, most]) => countOf(key) >= most))
      throw new AppError("too-many", "too many event streams", { status: 429, retryAfterSeconds: 60 });
    for (const [key] of limits) open.set(key, countOf(key) + 1);
    return () => {
      for (const [key] of limits) if (open.set(key, countOf(key) - 1).get(key) === 0) open.delete(key);
    };
  };
}

/** Task events, cancelling and retrying. */
export function createTaskRoutes({ actions, events, allowanceOf }: ApiParts, auth: Auth) {
  const enter = createStreamCounter();
  return createCallRoutes(auth, {
    taskCancel: ({ taskId }, { owner }) => actions.cancel(owner, taskId),
    taskRetry: ({ taskId }, { owner }) => actions.retry(owner, taskId),
    allowance: (_, { accountId }) => allowanceOf(accountId),
    taskEvents(query, { owner, c }) {
      const { since } = parse(taskEventsQuery, { since: c.req.header("last-event-id") ?? query.since });
      const ofVisitors = owner.startsWith("visitor:") ? [[addressOf(c), streamsMax.address] as const] : [];
      const leave = enter([[owner, streamsMax.owner], ...ofVisitors]);
      return streamSSE(c, (stream) => streamEvents(c, stream, { owner, since, events, auth }).finally(leave));
    },
  });
}

interface StreamOptions extends Pick<ApiParts, "events"> {
  owner: Owner;
  since: number;
  auth: Auth;
}

/** Ends when the client disconnects, the server closes, or the login expires. */
async function streamEvents(c: Context, stream: SSEStreamingApi, { owner, since, events, auth }: StreamOptions) {
  const end = new AbortController();
  stream.onAbort(() => end.abort());
  const signal = AbortSignal.any([c.req.raw.signal, end.signal]);
  const beat = async () => {
    if ((await auth.findOwner(c)) !== owner) return end.abort();
    await stream.write(":\n\n");
  };
  const timer = setInterval(() => void beat().catch(() => end.abort()), heartbeatMs);
  try {
    await stream.write(`retry: ${reconnectMs}\n\n`);
    for await (const { id, event } of events.follow(owner, since, signal)) {
      await stream.writeSSE({ id: String(id), data: JSON.stringify(event) });
    }
  } finally {
    clearInterval(timer);
  }
}

/** Readings of a script: polyphones, dictionary and samples. */
export const createScriptRoutes = ({ dictionary, samples, allowanceOf, speech }: ApiParts, auth: Auth) =>
  createCallRoutes(auth, {
    async readings({ content }, { c }) {
      const account = await auth.findAccount(c);
      requireLength(content, account === null ? charactersFree : (await allowanceOf(account)).limit);
      const words = account === null ? [] : await dictionary.of(account);
      return { list: await speech.findPolyphones(content, { dictionary: words }) };
    },
    dictionary: (_, { accountId }) => dictionary.list(accountId),
    dictionaryPut: (entry, { accountId }) => dictionary.put(accountId, entry),
    dictionaryDelete: ({ word }, { accountId }) => dictionary.remove(accountId, word),
    sample: (request, { accountId }) => samples.speak(accountId, request),
  });

/** Throws text-too-long for more than the caller may have spoken. */
function requireLength(content: string, limit: number) {
  if (content.length <= limit * unitsPerCharacter && countCharacters(content) <= limit) return;
  throw new AppError("text-too-long", "more characters than the tier speaks at a time", { data: { limit } });
}

/** Public pages of results: their owner's calls, and what everyone may read. */
export const createShareRoutes = ({ shares, files }: ApiParts, auth: Auth) =>
  createCallRoutes(auth, {
    shareCreate: (request, { owner }) => shares.create(owner, request),
    shareRevoke: ({ shareId }, { owner }) => shares.revoke(owner, shareId),
    shareList: (query, { owner }) => shares.list(owner, query),
    shareInfo: ({ shareId }) => shares.read(shareId),
    async shareFile({ shareId, part }, { c }) {
      if (part === "card") return answerCard(c, await files.ofShares.card(shareId));
      return toResponse(c, await files.serve(await files.ofShares.findPart(shareId, part), conditionsOf(c)), null);
    },
    shareReport: (request, { owner, address }) => shares.report({ owner, address }, request),
  });

function answerCard(c: Context, png: Uint8Array): Response {
  c.header("content-type", "image/png");
  c.header("content-length", String(png.length));
  return c.body(png as Uint8Array<ArrayBuffer>);
}
