import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Link, type MetaFunction, useActionData, useLoaderData, useRevalidator } from "@remix-run/react";
import { Suspense, useState } from "react";
import { consentPageCopy as words } from "~/copy/consent-link";
import { formatMoment } from "~/copy/format";
import { proofCopy, proofFaultSentence } from "~/copy/proof";
import { pageMeta } from "~/features/layout/page";
import { paths } from "~/paths";
import { Button, buttonClass } from "~/ui/button";
import { Card } from "~/ui/card";
import { Fault, NoScript, Skeleton } from "~/ui/feedback";
import { Icon } from "~/ui/icons/icon";
import { lazyPart } from "~/ui/lazy-part";
import { answerConsentAsk, type ConsentAsk, findConsentAsk } from "~server/bff/consent-links.server";
import { readForm, throwShown } from "~server/bff/json-route.server";
import { Answer, AnswerForm, Heading } from "./answer";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

const GiveConsent = lazyPart(() => import("~/features/reference/give-consent"));

export const handle = { layout: "fullscreen" };

export const headers = () => ({ "x-robots-tag": "noindex" });

export async function loader({ params, context: { upstream } }: LoaderFunctionArgs) {
  const token = params.token ?? "";
  const ask = await findConsentAsk(upstream, token).catch(throwShown);
  return data({ ask, token }, { status: ask ? 200 : 404 });
}

/** Declines or withdraws; works without scripts. */
export async function action({ request, params, context: { upstream } }: ActionFunctionArgs) {
  const token = params.token ?? "";
  const answer = String((await readForm(request))?.get("answer") ?? "");
  try {
    await answerConsentAsk(upstream, token, answer);
  } catch {
    return data({ isFailed: true }, { status: 400 });
  }
  throw redirect(paths.consent(token));
}

/** The address is a secret: it must not reach other sites. */
export const meta: MetaFunction = ({ matches }) => [
  ...pageMeta(words, matches),
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "same-origin" },
];

/** Consent page of an invited person: the question, and later the given answer. */
export default function ConsentPage() {
  const { ask, token } = useLoaderData<typeof loader>();
  const isFailed = useActionData<typeof action>()?.isFailed;
  if (!ask) return <Missing />;
  return (
    <Card className="w-full max-w-[600px] p-5 shadow-card md:p-8">
      <p className="text-sm text-muted">{words.eyebrow}</p>
      {ask.state === "waiting" ? <Question ask={ask} token={token} /> : <Answer ask={ask} />}
      <Fault className="mt-4 text-sm">{isFailed && words.failed}</Fault>
    </Card>
  );
}

function Question({ ask, token }: { ask: ConsentAsk; token: string }) {
  const { revalidate } = useRevalidator();
  const [isReading, setReading] = useState(false);
  const { facts } = words;
  const [asked, wish] = words.asks(ask.askerName);
  const rows = [
    [facts.who, facts.whoText(ask.askerName)],
    [facts.what, facts.whatText],
    [facts.long, facts.longText],
    [facts.end, facts.endText],
    [facts.recording, facts.recordingText],
  ] as const;
  if (isReading)
    return (
      <>
        <Heading>{words.reading}</Heading>
        <p className="mt-2 text-muted">{words.readingHint}</p>
        <Suspense fallback={<Skeleton className="mt-4 h-[188px] w-full" />}>
          <GiveConsent onClose={() => setReading(false)} onDone={revalidate} token={token} />
        </Suspense>
      </>
    );
  return (
    <>
      <Heading isStill>
        <span className="break-keep">
          {asked}
          <wbr />
          {wish}
        </span>
      </Heading>
      <p className="mt-2 text-muted">{words.sentence}</p>
      {ask.attempt && <LastAttempt attempt={ask.attempt} />}
      <dl className="mt-5 grid gap-x-5 gap-y-1 border-t border-line pt-5 text-sm sm:grid-cols-[6em_1fr] sm:gap-y-3">
        {rows.map(([term, text]) => (
          <div className="contents" key={term}>
            <dt className="font-semibold">{term}</dt>
            <dd className="m-0 mb-2 min-w-0 break-words text-muted sm:mb-0">{text}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-5 border-t border-line pt-5">
        <p>{words.how}</p>
        <p className="tabular mt-1 text-sm text-muted">{words.until(formatMoment(ask.expiresAt))}</p>
        <div className="mt-4">
          <NoScript sentence={words.noScript} />
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <Button className="needs-scripts" kind="primary" onClick={() => setReading(true)} size="large">
            <Icon name="mic" size={20} />
            {words.agree}
          </Button>
          <AnswerForm answer="decline">
            <button className={buttonClass({ size: "large" })} type="submit">
              {words.decline}
            </button>
          </AnswerForm>
        </div>
      </div>
    </>
  );
}

/** Reason why the last reading was not accepted; works without scripts. */
function LastAttempt({ attempt }: { attempt: NonNullable<ConsentAsk["attempt"]> }) {
  const { reason, outcome, canAskReview } = attempt;
  if (!reason) return null;
  return (
    <div className="mt-4 grid justify-items-start gap-3 rounded bg-wash px-4 py-4">
      <p role="alert">{words.lastTime(proofFaultSentence(reason, outcome))}</p>
      {canAskReview && (
        <AnswerForm answer="review">
          <button className={buttonClass()} type="submit">
            {proofCopy.review}
          </button>
        </AnswerForm>
      )}
    </div>
  );
}

function Missing() {
  return (
    <Card className="w-full max-w-[600px] p-5 text-center shadow-card md:p-8">
      <h1 className="font-song text-2xl font-semibold">{words.missing.heading}</h1>
      <p className="mt-3 text-muted">{words.missing.sentence}</p>
      <Link className={`${buttonClass()} mt-6`} to={paths.home}>
        {words.home}
      </Link>
    </Card>
  );
}
