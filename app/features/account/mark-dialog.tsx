import { Link } from "@remix-run/react";
import { useCallback, useEffect, useId, useState } from "react";
import { callApi, refusalOf } from "~/call";
import { markAgreementText, audibleMarkCopy as words } from "~/copy/audible-mark";
import { sentenceFor } from "~/copy/errors";
import { paths } from "~/paths";
import { closeMark } from "~/state/dialog-requests";
import { Button, buttonClass } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Fault, LiveRegion, Skeleton } from "~/ui/feedback";
import { markAgreement } from "~server/contract/audible-mark";
import type { CallData } from "~server/contract/calls/table";

type Mark = CallData<"audibleMark">;
type Notify = (notice: { kind: "success" | "error"; text: string }) => void;

/** The setting for the audible mark of downloads, with the agreement that it needs. `lazy` requires a default export. */
export default function MarkDialog({ notify }: { notify: Notify }) {
  const [mark, setMark] = useState<Mark | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const read = useCallback(() => {
    setFault(null);
    callApi("audibleMark", {}).then(setMark, (error) => setFault(sentenceFor(refusalOf(error))));
  }, []);
  useEffect(read, [read]);
  const change = async (isWaived: boolean) => {
    try {
      await callApi("audibleMarkChange", { isWaived, sha256: markAgreement.sha256 });
      notify({ kind: "success", text: isWaived ? words.turnedOff : words.turnedOn });
      closeMark();
    } catch (error) {
      setFault(sentenceFor(refusalOf(error)));
    }
  };
  return (
    <Dialog closeLabel={words.close} description={sentenceOf(mark)} onClose={closeMark} title={words.title}>
      <div className="mt-5 grid gap-4">
        {!mark && !fault && (
          <>
            <LiveRegion>{words.loading}</LiveRegion>
            <Skeleton className="h-28 w-full" />
          </>
        )}
        {mark?.isWaived && <Waived isMember={mark.isMember} onEnd={() => change(false)} />}
        {mark && !mark.isWaived && mark.isMember && <Agreement onAgree={() => change(true)} />}
        {mark && !mark.isWaived && !mark.isMember && (
          <>
            <p className="text-sm text-muted">{words.members}</p>
            <Link className={buttonClass({ kind: "primary" })} onClick={closeMark} to={paths.subscribe}>
              {words.toMembership}
            </Link>
          </>
        )}
        <Fault className="text-sm">{fault}</Fault>
        {fault && !mark && <Button onClick={read}>{words.again}</Button>}
      </div>
    </Dialog>
  );
}

const sentenceOf = (mark: Mark | null) =>
  mark?.isWaived ? words.isOff(mark.agreedAt.slice(0, 16).replace("T", " ")) : words.isOn;

function Waived({ isMember, onEnd }: { isMember: boolean; onEnd(): Promise<void> }) {
  const [isPending, run] = usePending(onEnd);
  return (
    <>
      {!isMember && <p className="text-sm text-muted">{words.paused}</p>}
      <Button onClick={run} pending={isPending}>
        {words.turnOn}
      </Button>
    </>
  );
}

function Agreement({ onAgree }: { onAgree(): Promise<void> }) {
  const id = useId();
  const [hasAgreed, setAgreed] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const [isPending, run] = usePending(onAgree);
  return (
    <>
      <section
        aria-label={words.agreement}
        className="grid gap-1.5 rounded bg-wash px-4 py-3 text-sm leading-relaxed"
        id={`${id}text`}
      >
        {markAgreementText.split("\n").map((line) => (
          <p className={/^\d/.test(line) ? "pl-[1.15em] -indent-[1.15em]" : ""} key={line}>
            {line}
          </p>
        ))}
      </section>
      <label className="flex min-h-[44px] cursor-pointer items-center gap-3 text-sm" htmlFor={`${id}agree`}>
        <input
          aria-describedby={isMissing ? `${id}missing` : `${id}text`}
          aria-invalid={isMissing}
          checked={hasAgreed}
          className="h-5 w-5 shrink-0"
          id={`${id}agree`}
          onChange={(event) => {
            setAgreed(event.target.checked);
            setMissing(false);
          }}
          type="checkbox"
        />
        {words.agree}
      </label>
      {isMissing && (
        <p className="text-sm text-seal" id={`${id}missing`} role="alert">
          {words.unagreed}
        </p>
      )}
      <Button kind="primary" onClick={() => (hasAgreed ? run() : setMissing(true))} pending={isPending}>
        {words.turnOff}
      </Button>
    </>
  );
}

function usePending(act: () => Promise<void>): [boolean, () => void] {
  const [isPending, setPending] = useState(false);
  const run = () => {
    setPending(true);
    void act().finally(() => setPending(false));
  };
  return [isPending, run];
}
