import { useId, useRef, useState } from "react";
import { refusalOf } from "~/call";
import { loginCopy } from "~/copy/account";
import { removalCopy as words } from "~/copy/account-settings";
import { sentenceFor } from "~/copy/errors";
import { formatDetail, maskPhone } from "~/copy/format";
import { Badge, Button, buttonClass } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { copyText, LiveRegion } from "~/ui/feedback";
import { Input } from "~/ui/fields";
import { closeRemoval, type DeletionReceipt, removeAccount, sendRemovalCode, useRemoval } from "./account-actions";
import { useAccount } from "./provider";

interface RemovalDialogProps {
  /** The session has ended. */
  onLoggedOut(): void;
  notify(notice: { kind: "success" | "error"; text: string }): void;
}

/** Deletes the account with a code sent to its phone and shows the receipt. `lazy` requires a default export. */
export default function RemovalDialog({ onLoggedOut, notify }: RemovalDialogProps) {
  const removal = useRemoval();
  if (!removal) return null;
  if (removal.step === "removed") return <ReceiptDialog receipt={removal.receipt} notify={notify} />;
  return <AskingDialog onLoggedOut={onLoggedOut} />;
}

function AskingDialog({ onLoggedOut }: Pick<RemovalDialogProps, "onLoggedOut">) {
  const id = useId();
  const { account } = useAccount();
  const input = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState("");
  const [sent, setSent] = useState<{ demoCode?: string } | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState<"sending" | "going" | null>(null);
  const phone = maskPhone(account.phone);

  const send = async () => {
    setBusy("sending");
    setFault(null);
    try {
      setSent(await sendRemovalCode());
      input.current?.focus();
    } catch (error) {
      setFault(sentenceFor(refusalOf(error)));
    } finally {
      setBusy(null);
    }
  };
  const remove = async () => {
    if (!sent) return setFault(loginCopy.field.codeNotSent);
    if (!/^\d{6}$/.test(code)) return setFault(loginCopy.field.codeMissing);
    setBusy("going");
    setFault(null);
    try {
      await removeAccount(code);
      onLoggedOut();
    } catch (error) {
      setBusy(null);
      setFault(sentenceFor(refusalOf(error)));
      input.current?.select();
    }
  };

  return (
    <Dialog
      closeLabel={words.removing.cancel}
      description={words.removing.text}
      onClose={closeRemoval}
      title={words.removing.title}
    >
      <div className="mt-5 grid gap-4">
        <Button onClick={send} pending={busy === "sending"}>
          {words.removing.send(phone)}
        </Button>
        <Input
          autoComplete="one-time-code"
          error={fault}
          id={`${id}code`}
          inputMode="numeric"
          inputRef={input}
          label={loginCopy.code}
          maxLength={6}
          onChange={(event) => setCode(event.target.value.replace(/\D/g, ""))}
          placeholder={loginCopy.codeHint}
          value={code}
        />
        {sent?.demoCode && (
          <p className="flex items-center gap-3 rounded bg-wash px-3.5 py-1 text-sm">
            <Badge>{loginCopy.demo}</Badge>
            <span className="tabular flex-1">{loginCopy.demoCode(sent.demoCode)}</span>
            <Button kind="quiet" onClick={() => setCode(sent.demoCode ?? "")}>
              {loginCopy.fill}
            </Button>
          </p>
        )}
        <LiveRegion>{sent ? words.removing.sent(phone) : ""}</LiveRegion>
        <div className="flex flex-col-reverse gap-3 md:flex-row md:justify-end">
          <Button onClick={closeRemoval}>{words.removing.cancel}</Button>
          <Button kind="primary" onClick={remove} pending={busy === "going"}>
            {busy === "going" ? words.removing.going : words.removing.confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function ReceiptDialog({ receipt, notify }: { receipt: DeletionReceipt } & Pick<RemovalDialogProps, "notify">) {
  const text = receiptText(receipt);
  const copy = async () => {
    const isCopied = await copyText(text);
    notify(
      isCopied ? { kind: "success", text: words.receipt.copied } : { kind: "error", text: words.receipt.copyFailed },
    );
  };
  return (
    <Dialog
      closeLabel={words.removing.done}
      description={words.receipt.text}
      onClose={closeRemoval}
      title={words.receipt.title}
    >
      <p className="tabular mt-4 select-all whitespace-pre-line break-words rounded bg-wash px-4 py-3 text-sm">
        {text}
      </p>
      <div className="mt-5 grid gap-3 sm:grid-cols-2">
        <Button onClick={copy}>{words.receipt.copy}</Button>
        <a
          className={buttonClass()}
          download={words.receipt.file(receipt.receiptId)}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
        >
          {words.receipt.download}
        </a>
        <Button className="sm:col-span-2" kind="primary" onClick={closeRemoval}>
          {words.removing.done}
        </Button>
      </div>
    </Dialog>
  );
}

/** The receipt as text, one fact per line. */
function receiptText({ receiptId, deletedAt, removed }: DeletionReceipt): string {
  const { roles, clones, dubs, files } = removed;
  return [
    words.receipt.title,
    formatDetail(words.receipt.id, receiptId),
    formatDetail(words.receipt.time, deletedAt.slice(0, 19).replace("T", " ")),
    formatDetail(words.receipt.removed, words.receipt.counts(roles, clones, dubs, files)),
  ].join("\n");
}
