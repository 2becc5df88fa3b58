import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import type { MetaFunction } from "@remix-run/react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { receiptVerdictCopy, verdictCopy, verifyCopy, verifyFactsCopy, verifyPageCopy } from "~/copy/verify";
import { pageMeta } from "~/features/layout/page";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { LiveRegion, ProgressBar } from "~/ui/feedback";
import { useFileDrop } from "~/ui/fields";
import { Icon, Seal } from "~/ui/icons/icon";
import { useVerification, type Verdict, type Verification } from "./use-verification";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export const meta: MetaFunction = ({ matches }) => pageMeta(verifyPageCopy, matches);

/** Redirects to the 404 page if the upstream cannot verify. */
export async function loader({ context: { upstream } }: LoaderFunctionArgs) {
  const { missing } = await upstream.readCapabilities();
  if (missing.includes("verify")) throw redirect(paths.notFound);
  return null;
}

export default function Verify() {
  const { state, verifyFile, retry, reset } = useVerification();
  const step = stepOf(state);
  return (
    <div className="mx-auto grid w-full max-w-[46rem] gap-6 px-4 py-8 md:px-6 md:py-12">
      <div>
        <h1 className="font-song text-2xl font-semibold md:text-3xl">{verifyPageCopy.heading}</h1>
        <p className="mt-3 text-muted">{verifyPageCopy.sentence}</p>
      </div>
      {state.phase === "empty" && <FileDrop onFile={verifyFile} />}
      {step && (
        <Card className="grid min-h-[200px] content-center gap-4 p-6">
          <p className="truncate font-semibold">{step.name}</p>
          <ProgressBar label={verifyCopy.progress} value={step.share} />
          <div className="flex items-center justify-between gap-3">
            <span className="tabular text-sm text-muted">{step.text}</span>
            <Button kind="quiet" onClick={reset}>
              {verifyCopy.stop}
            </Button>
          </div>
        </Card>
      )}
      {state.phase === "done" &&
        (state.verdict.receipt ? (
          <ReceiptCard name={state.name} onReset={reset} receipt={state.verdict.receipt} />
        ) : (
          <VerdictCard name={state.name} onReset={reset} verdict={state.verdict} />
        ))}
      {state.phase === "failed" && (
        <Failure name={state.name} sentence={state.sentence}>
          {state.isRetryable && (
            <Button kind="primary" onClick={retry}>
              {verifyCopy.again}
            </Button>
          )}
          <Button onClick={reset}>{verifyCopy.another}</Button>
        </Failure>
      )}
      <p className="text-xs text-muted">{verifyPageCopy.privacy}</p>
      <LiveRegion>{step?.announcement ?? ""}</LiveRegion>
    </div>
  );
}

/** The running step; null if none runs. The announcement omits the percentage, which would interrupt the screen reader. */
function stepOf(state: Verification) {
  if (state.phase === "uploading") {
    const { name, share } = state;
    return { name, share, text: verifyCopy.sending(Math.floor(share * 100)), announcement: verifyCopy.reading };
  }
  if (state.phase !== "reading" && state.phase !== "comparing") return null;
  const text = verifyCopy[state.phase];
  return { name: state.name, share: null, text, announcement: text };
}

/** The file input; its label is the drop area. */
function FileDrop({ onFile }: { onFile(file: File): void }) {
  const id = useId();
  const { isOver, input, zone } = useFileDrop(onFile);
  return (
    <div>
      <input
        accept="audio/*,video/mp4,video/webm,.m4a,.m4b,.mp3,.wav,.flac,.ogg,.opus,.webm,.mp4,.json"
        className="peer sr-only"
        id={id}
        {...input}
      />
      <label
        className={`flex min-h-[200px] cursor-pointer flex-col items-center justify-center gap-2 rounded-card border border-dashed bg-surface px-4 text-center transition-colors peer-focus-visible:outline peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-seal ${isOver ? "border-celadon bg-wash" : "border-edge hover:bg-wash"}`}
        htmlFor={id}
        {...zone}
      >
        <span className="flex items-center gap-2 font-semibold">
          <Icon className="text-seal" name="upload" />
          <span>{isOver ? verifyCopy.dropNow : verifyCopy.pick}</span>
          <span aria-hidden="true" className="hidden text-sm font-normal text-muted md:inline">
            {verifyCopy.drop}
          </span>
        </span>
        <span className="max-w-[36em] text-balance text-xs text-muted">{verifyCopy.formats}</span>
      </label>
    </div>
  );
}

function Failure({ name, sentence, children }: { name: string; sentence: string; children: ReactNode }) {
  return (
    <Card className="grid min-h-[200px] content-center gap-4 p-6">
      <div role="alert">
        <p className="flex items-center gap-2 font-semibold">
          <Icon className="shrink-0 text-seal" name="alert" />
          {verifyCopy.failed}
        </p>
        <p className="mt-2 text-muted">{sentence}</p>
        <p className="mt-1 truncate text-xs text-muted">{name}</p>
      </div>
      <div className="flex flex-wrap gap-3">{children}</div>
    </Card>
  );
}

interface ResultCardProps {
  /** Null: not known. */
  isOurs: boolean | null;
  answer: { heading: string; sentence: string };
  name: string;
  onReset(): void;
  /** Facts. */
  children: ReactNode;
}

/** The result of a check with its evidence. */
function ResultCard({ isOurs, answer, name, onReset, children }: ResultCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The pressed button is unmounted: the focus moves to the result.
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card className="p-6 md:p-8">
      <h2 className="flex items-center gap-3 font-song text-2xl font-semibold outline-none" ref={heading} tabIndex={-1}>
        {isOurs && <Seal size={36} />}
        {isOurs === false && <Icon className="shrink-0 text-ink" name="close" size={28} />}
        {isOurs === null && <Icon className="shrink-0 text-gold" name="alert" size={28} />}
        <span>{answer.heading}</span>
      </h2>
      <p className="mt-3 max-w-[36em] text-muted">{answer.sentence}</p>
      <dl className="mt-6 grid gap-x-6 gap-y-1 border-t border-line pt-5 text-sm sm:grid-cols-[auto_1fr] sm:gap-y-3">
        <Fact name={verifyCopy.file} value={name} />
        {children}
      </dl>
      <Button className="mt-6" onClick={onReset}>
        <Icon name="retake" size={18} />
        {verifyCopy.another}
      </Button>
    </Card>
  );
}

/** The verdict on a sound or film. */
function VerdictCard({ verdict, ...rest }: { name: string; verdict: Verdict; onReset(): void }) {
  const { ours, labelled, generatedAt, contentId, signature } = verdict;
  return (
    <ResultCard answer={verdictCopy[answerOf(verdict)]} isOurs={ours} {...rest}>
      {generatedAt && <Fact name={verifyFactsCopy.generatedAt} value={generatedAt.slice(0, 19).replace("T", " ")} />}
      {contentId && <Fact name={verifyFactsCopy.contentId} value={contentId} />}
      <Fact
        name={verifyFactsCopy.label}
        value={verifyFactsCopy.labelled[labelled === null ? "unknown" : labelled ? "yes" : "no"]}
      />
      {signature && <Fact name={verifyFactsCopy.signature} value={verifyFactsCopy.signatures[signature]} />}
    </ResultCard>
  );
}

type VerificationReceipt = NonNullable<Verdict["receipt"]>;

/** Whether the receipt of a revoked consent is ours, and how far the deletion is. */
function ReceiptCard({ receipt, ...rest }: { name: string; receipt: VerificationReceipt; onReset(): void }) {
  const isValid = receipt.signature === "valid";
  return (
    <ResultCard answer={receiptVerdictCopy[isValid ? "valid" : "invalid"]} isOurs={isValid || null} {...rest}>
      <Fact name={receiptVerdictCopy.signature} value={receiptVerdictCopy.signatures[receipt.signature]} />
      {isValid && (
        <>
          <Fact name={receiptVerdictCopy.id} value={receipt.receiptId} />
          <Fact name={receiptVerdictCopy.time} value={receipt.revokedAt.slice(0, 19).replace("T", " ")} />
          <Fact
            name={receiptVerdictCopy.state}
            value={receipt.isErased ? receiptVerdictCopy.erased : receiptVerdictCopy.erasing}
          />
        </>
      )}
    </ResultCard>
  );
}

function answerOf({ ours, by, signature }: Verdict): keyof typeof verdictCopy {
  if (ours === null) return "unclear";
  if (!ours) return "other";
  return by === "label" ? (signature === "valid" ? "signed" : "label") : "fingerprint";
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="tabular mb-2 min-w-0 break-all sm:mb-0">{value}</dd>
    </>
  );
}
