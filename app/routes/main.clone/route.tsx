import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { type MetaFunction, useLoaderData, useNavigate, useSearchParams } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { composerCopy, cloneRecordsCopy as words } from "~/copy/clone";
import { sentenceFor } from "~/copy/errors";
import { clonePageCopy } from "~/copy/pages";
import { useAccount } from "~/features/account/provider";
import { pageMeta } from "~/features/layout/page-meta";
import { askToLogIn } from "~/features/login/login-flag";
import { notify } from "~/features/toasts/notify";
import type { Tone } from "~/features/tone/tone";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Notice } from "~/ui/notice";
import { throwIfLoginExpired } from "~server/bff/answering.server";
import { type CloneRecord, clonesPerPage, readCloneView, readCloneWish } from "~server/bff/generations.server";
import { statusOf, toRefusal } from "~server/bff/refusal.server";
import { findVoice } from "~server/bff/roles.server";
import { Composer, useRefused } from "./composer/composer";
import type { Draft } from "./composer/draft";
import { useComposer } from "./composer/use-composer";
import { filterQuery } from "./filter";
import { LatestResult } from "./records/latest-result";
import { Records } from "./records/records";
import { useRecords } from "./records/use-records";

export { RouteError as ErrorBoundary } from "~/features/layout/route-error";

export const meta: MetaFunction = ({ matches }) => pageMeta(clonePageCopy, matches);

/** `?role=` hands a voice over; the rest says which records are shown. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { upstream, session } = context;
  const query = new URL(request.url).searchParams;
  const filter = readCloneWish(query);
  const roleId = query.get("role");
  const nothing = { filter, perPage: clonesPerPage, page: null, allowance: null, wanted: null, refusal: null };
  try {
    const [view, wanted] = await Promise.all([
      readCloneView(context, filter),
      roleId ? findVoice(upstream, roleId, Boolean(session.values.token)).catch(() => null) : null,
    ]);
    return data({ ...nothing, ...view, wanted });
  } catch (error) {
    throwIfLoginExpired(error, session, paths.login);
    const refusal = toRefusal(error);
    return data({ ...nothing, refusal }, { status: statusOf(refusal) });
  }
}

export default function Clone() {
  const { filter, page, perPage, wanted, refusal, ...loaded } = useLoaderData<typeof loader>();
  const { account } = useAccount();
  const navigate = useNavigate();
  const onRefused = useRefused();
  const work = useRecords({ page, allowance: loaded.allowance }, account.isLogin, {
    filter,
    onExpired: () => navigate(paths.loginExpiredFrom(paths.clone)),
  });
  const { allowance } = work;
  const [latestId, setLatestId] = useState<string | null>(null);
  const latest = work.records.find(({ taskId }) => taskId === latestId);
  const top = useRef<HTMLHeadingElement>(null);
  const writing = useComposer({
    allowance,
    onRefused,
    onNotSent: (notSent) => notify({ kind: "error", text: sentenceFor(notSent) }),
    onStarted(record) {
      work.onMade(record);
      if (record) setLatestId(record.taskId);
      else notify({ kind: "success", text: composerCopy.started });
      // A filtered list may leave the new record out.
      if (filterQuery(filter, filter)) navigate(paths.clone, { preventScrollReset: true });
    },
  });
  useHandedOver(wanted, writing);
  const write = (change: Partial<Draft>) => {
    writing.change(change);
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
          result={latest && <LatestResult key={latest.taskId} record={latest} />}
          work={writing}
        />
        {account.isLogin ? (
          <Records
            filter={filter}
            isMember={Boolean(allowance?.tier)}
            onReuse={(record) => {
              write(draftOf(record));
              notify({ kind: "info", text: words.reused });
            }}
            onSample={(content) => write({ content })}
            perPage={perPage}
            refusal={work.isRead ? null : refusal}
            total={work.total}
            work={work}
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

type Writing = ReturnType<typeof useComposer>;

/** A voice that another page handed over is chosen once; the address forgets it. */
function useHandedOver(wanted: Draft["voice"], { isRestored, change }: Writing) {
  const [query, setQuery] = useSearchParams();
  const isAsked = query.has("role");
  const latest = useRef(change);
  useEffect(() => {
    latest.current = change;
  });
  useEffect(() => {
    if (!isRestored || !isAsked) return;
    if (wanted?.status === 2) latest.current({ voice: wanted, from: "role" });
    else notify({ kind: "warning", text: composerCopy.voice.gone });
    const without = (now: URLSearchParams) => {
      now.delete("role");
      return now;
    };
    setQuery(without, { replace: true, preventScrollReset: true });
  }, [isRestored, isAsked, wanted, setQuery]);
}

/** The composer as it stood when this was made. */
function draftOf(record: CloneRecord): Partial<Draft> {
  const { content, roleId, name, avatar, portrait, voicePath, emotionPath } = record;
  const { speed, pitch, volume, genre, ext } = record;
  const tone: Tone = { speed, pitch, volume, genre: genre === 1 || genre === 2 ? genre : 0, ext };
  if (!roleId) return { content, tone, emotionPath, from: "reference", voicePath };
  const voice = { roleId, name, avatar, portrait, describe: "", voiceUrl: "", timelineUrl: "", status: 2 as const };
  return { content, tone, emotionPath, from: "role", voice };
}
