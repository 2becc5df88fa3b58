import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { type MetaFunction, useLoaderData, useNavigate, useSearchParams } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { clonePageCopy, composerCopy, cloneRecordsCopy as words } from "~/copy/clone";
import { sentenceFor } from "~/copy/errors";
import { useAccount } from "~/features/account/provider";
import { pageMeta } from "~/features/layout/page";
import { usePlayer } from "~/features/player/provider";
import { notify } from "~/features/toasts/notify";
import type { SpeakingTone } from "~/features/tone/tone";
import { paths } from "~/paths";
import { askToBuyFor, askToLogIn, type PendingAction, rememberAction } from "~/state/dialog-requests";
import { Button } from "~/ui/button";
import { Notice } from "~/ui/card";
import { readAllowance } from "~server/bff/accounts.server";
import { type CloneRecord, clonesPerPage, parseCloneQuery, readCloneView } from "~server/bff/generations.server";
import { throwIfLoginExpired } from "~server/bff/json-route.server";
import { type Refusal, statusOf, toRefusal } from "~server/bff/refusal.server";
import { findVoice } from "~server/bff/roles.server";
import { entitlementReasonOf } from "~server/contract/codes";
import { Composer } from "./composer/composer";
import { type Draft, findEqual } from "./composer/draft";
import { useComposer } from "./composer/use-composer";
import { filterQuery } from "./records/filter";
import { toTrack } from "./records/record-result";
import { Records } from "./records/records";
import { useRecords } from "./records/use-records";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export const meta: MetaFunction = ({ matches }) => pageMeta(clonePageCopy, matches);

const listParameters = ["keyword", "status", "record", "page"];

/**
 * `?role=` selects a voice; the other parameters filter the records. In a document without those the browser reads the
 * records (`isLater`), while its scripts load.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { upstream, session } = context;
  const query = new URL(request.url).searchParams;
  const filter = parseCloneQuery(query);
  const roleId = query.get("role");
  const isLater =
    context.isDocument && Boolean(session.values.token) && !listParameters.some((name) => query.has(name));
  const empty = { filter, perPage: clonesPerPage, page: null, allowance: null, requested: null, refusal: null };
  try {
    const [view, requested] = await Promise.all([
      isLater ? readAllowance(upstream, session).then((allowance) => ({ allowance })) : readCloneView(context, filter),
      roleId ? findVoice(upstream, roleId, Boolean(session.values.token)).catch(() => null) : null,
    ]);
    return data({ ...empty, ...view, requested, isLater });
  } catch (error) {
    throwIfLoginExpired(error, session, paths.loginExpired);
    const refusal = toRefusal(error);
    return data({ ...empty, refusal, isLater: false }, { status: statusOf(refusal) });
  }
}

export default function Clone() {
  const { filter, page, perPage, requested, refusal, isLater, ...loaded } = useLoaderData<typeof loader>();
  const { account } = useAccount();
  const player = usePlayer();
  const navigate = useNavigate();
  const list = useRecords({ page, allowance: loaded.allowance }, account.isLogin, {
    filter,
    isLater,
  });
  const { allowance } = list;
  const [latestId, setLatestId] = useState<string | null>(null);
  usePlayWhenDone(list.records.find(({ taskId }) => taskId === latestId));
  const top = useRef<HTMLHeadingElement>(null);
  const composing = useComposer({
    allowance,
    onRefused,
    onUploadFailed: (refused) => notify({ kind: "error", text: sentenceFor(refused) }),
    async onStarted(record) {
      if (record) setLatestId(record.taskId);
      // An equal one of another page, or of an upstream that is done at once.
      if (record?.status === 2 && record.voiceUrl) player.play(toTrack(record));
      await list.onCreated(record);
      if (!record) notify({ kind: "success", text: composerCopy.started });
      // A filtered list may leave the new record out.
      if (filterQuery(filter, filter)) navigate(paths.clone, { preventScrollReset: true });
    },
  });
  useRequestedVoice(requested, composing);
  const fill = (change: Partial<Draft>) => {
    composing.change(change);
    top.current?.scrollIntoView({ block: "start" });
  };

  return (
    <div className="mx-auto max-w-page px-4 py-6 md:px-6 md:py-10">
      <h1 className="scroll-mt-20 font-song text-2xl font-semibold md:text-3xl" ref={top}>
        {composerCopy.heading}
      </h1>
      <div className="mt-5 grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <Composer
          allowance={allowance}
          equal={account.isLogin ? findEqual(composing.draft, list.records) : null}
          hasRunning={list.records.some(({ status }) => status === 1)}
          state={composing}
        />
        {account.isLogin ? (
          <Records
            filter={filter}
            list={list}
            isMember={Boolean(allowance?.tier)}
            latestId={latestId}
            onReuse={(record) => {
              fill(toDraft(record));
              notify({ kind: "info", text: words.reused });
            }}
            onSample={(content) => fill({ content })}
            perPage={perPage}
            refusal={list.isRead ? null : (list.refusal ?? refusal)}
            total={list.total}
          />
        ) : (
          <Notice heading={words.visitor.heading} sentence={words.visitor.sentence}>
            <Button onClick={() => askToLogIn("asked")}>{words.visitor.action}</Button>
          </Notice>
        )}
      </div>
    </div>
  );
}

/**
 * Handles a refusal besides the composer's message: code 1001 shows the upstream's message and, with a known reason, the
 * packages; after an expired login or a payment the action continues. Other codes show no notice (specification, section 7).
 */
function onRefused(refusal: Refusal, action: PendingAction) {
  if (refusal.code === "login-expired") return rememberAction(action);
  notify({ kind: "error", text: sentenceFor(refusal) });
  askToBuyFor(entitlementReasonOf(refusal.data), action);
}

/** Plays the latest record when it was seen running and is done. */
function usePlayWhenDone(record: CloneRecord | undefined) {
  const player = usePlayer();
  const play = useRef(player.play);
  play.current = player.play;
  const runningId = useRef<string | null>(null);
  useEffect(() => {
    if (!record) return;
    if (record.status === 1) runningId.current = record.taskId;
    if (record.status !== 2 || record.voiceUrl === "" || runningId.current !== record.taskId) return;
    runningId.current = null;
    play.current(toTrack(record));
  }, [record]);
}

/** Selects the voice of `?role=` once and removes it from the URL. */
function useRequestedVoice(requested: Draft["voice"], { isRestored, change }: ReturnType<typeof useComposer>) {
  const [query, setQuery] = useSearchParams();
  const isRequested = query.has("role");
  const latest = useRef(change);
  useEffect(() => {
    latest.current = change;
  });
  useEffect(() => {
    if (!isRestored || !isRequested) return;
    if (requested?.status === 2) latest.current({ voice: requested, from: "role" });
    else notify({ kind: "warning", text: composerCopy.voice.gone });
    const without = (now: URLSearchParams) => {
      now.delete("role");
      return now;
    };
    setQuery(without, { replace: true, preventScrollReset: true });
  }, [isRestored, isRequested, requested, setQuery]);
}

/** The draft that generated a record. */
function toDraft(record: CloneRecord): Partial<Draft> {
  const { roleId, name, avatar, portrait, voicePath, emotionPath } = record;
  // An upstream may keep no text.
  const content = record.content ? { content: record.content } : {};
  const { speed, pitch, volume, genre, ext } = record;
  const tone: SpeakingTone = { speed, pitch, volume, genre: genre === 1 || genre === 2 ? genre : 0, ext };
  if (!roleId) return { ...content, tone, emotionPath, from: "reference", voicePath };
  const voice = { roleId, name, avatar, portrait, describe: "", voiceUrl: "", timelineUrl: "", status: 2 as const };
  return { ...content, tone, emotionPath, from: "role", voice };
}
