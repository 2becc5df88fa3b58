import { Link, useRevalidator } from "@remix-run/react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { consentStateCopy, consentPageCopy as words } from "~/copy/consent-link";
import { formatMoment } from "~/copy/format";
import { ReceiptDownload, ReceiptFacts } from "~/features/reference/receipt";
import { paths } from "~/paths";
import { Button, buttonClass } from "~/ui/button";
import { copyText, LiveRegion, PostForm, usePolling } from "~/ui/feedback";
import { Icon, Seal } from "~/ui/icons/icon";
import type { ConsentAsk } from "~server/bff/consent-links.server";

/** Posts an answer; works without scripts. */
export function AnswerForm({ answer, children }: { answer: "decline" | "withdraw" | "review"; children: ReactNode }) {
  return (
    <PostForm>
      <input name="answer" type="hidden" value={answer} />
      {children}
    </PostForm>
  );
}

/** The given answer with the actions that can follow. */
export function Answer({ ask }: { ask: ConsentAsk }) {
  const { state, askerName, answeredAt, receipt } = ask;
  const isOpen = state === "judging" || state === "review";
  if (state === "waiting") return null;
  const { heading, sentence } = consentStateCopy[state];
  return (
    <>
      <Heading>
        {state === "given" && <Seal size={36} />}
        {state === "judging" && <Icon className="shrink-0 animate-spin text-seal" name="spinner" />}
        <span>{heading}</span>
      </Heading>
      <p className="mt-2 text-muted">{sentence(askerName)}</p>
      {answeredAt && <p className="tabular mt-1 text-sm text-muted">{formatMoment(answeredAt)}</p>}
      {state === "given" && (
        <>
          <KeepLink />
          <Withdrawal />
        </>
      )}
      {state === "judging" && <Judging sentence={sentence(askerName)} />}
      {isOpen && (
        <div className="mt-5">
          <AnswerForm answer="decline">
            <button className={buttonClass()} type="submit">
              {words.decline}
            </button>
          </AnswerForm>
        </div>
      )}
      {receipt && <Receipt receipt={receipt} />}
      {state !== "given" && !isOpen && (
        <Link className={`${buttonClass()} mt-6`} to={paths.home}>
          {words.home}
        </Link>
      )}
    </>
  );
}

const pollSeconds = 3;

/** Loads the answer until it is there, without scripts too. */
function Judging({ sentence }: { sentence: string }) {
  const { revalidate } = useRevalidator();
  usePolling(true, revalidate, pollSeconds * 1000);
  return (
    <>
      <noscript>
        <meta content={String(pollSeconds)} httpEquiv="refresh" />
      </noscript>
      <LiveRegion>{sentence}</LiveRegion>
    </>
  );
}

/** Heading of the present step; it takes the focus when the step before it has gone. */
export function Heading({ children, isStill = false }: { children: ReactNode; isStill?: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [isFirst] = useState(() => typeof document === "undefined" || document.activeElement === document.body);
  useEffect(() => {
    if (!isStill && !isFirst) heading.current?.focus();
  }, [isStill, isFirst]);
  return (
    <h1
      className="mt-1 flex items-center gap-3 break-words font-song text-2xl font-semibold outline-none md:text-3xl"
      ref={heading}
      tabIndex={-1}
    >
      {children}
    </h1>
  );
}

function KeepLink() {
  const [isCopied, setCopied] = useState<boolean | null>(null);
  return (
    <div className="mt-5 grid justify-items-start gap-3 rounded bg-wash px-4 py-4 text-sm">
      <p>{words.keep}</p>
      <Button className="needs-scripts" onClick={async () => setCopied(await copyText(window.location.href))}>
        {isCopied === null ? words.copy : isCopied ? words.copied : words.copyFailed}
      </Button>
    </div>
  );
}

/** Folded away until it is wanted; works without scripts. */
function Withdrawal() {
  return (
    <details className="mt-5 border-t border-line pt-3 text-sm">
      <summary className="inline-flex min-h-[44px] cursor-pointer items-center text-muted underline underline-offset-4 hover:text-ink">
        {words.withdraw.open}
      </summary>
      <p className="mb-3 mt-1">{words.withdraw.text}</p>
      <AnswerForm answer="withdraw">
        <button className={`${buttonClass()} !border-seal !text-seal`} type="submit">
          {words.withdraw.go}
        </button>
      </AnswerForm>
    </details>
  );
}

function Receipt({ receipt }: { receipt: NonNullable<ConsentAsk["receipt"]> }) {
  return (
    <section className="mt-5 rounded bg-wash px-4 py-4 text-sm">
      <h2 className="font-semibold">{words.receipt.heading}</h2>
      <ReceiptFacts className="mt-2" receipt={receipt} />
      <p className="mb-3 mt-3 text-muted">{words.receipt.text}</p>
      <ReceiptDownload receipt={receipt} />
    </section>
  );
}
