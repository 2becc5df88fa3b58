import { type FormEvent, useId, useState } from "react";
import { bffPaths, call, callApi, refusalOf } from "~/call";
import { consentLinkCopy as words } from "~/copy/consent-link";
import { sentenceFor } from "~/copy/errors";
import { formatMoment } from "~/copy/format";
import { LinkField } from "~/features/share/share-dialog";
import { Button, buttonClass, useRestoredFocus } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Fault } from "~/ui/feedback";
import { QrPicture } from "~/ui/qr-picture";
import type { OwnedLink } from "~server/bff/consent-links.server";
import { askerNameMax } from "~server/contract/limits";

interface ConsentLinkDialogProps {
  roleId: string;
  /** The open link, if there is one. */
  known: OwnedLink | null;
  onChange(): void;
  onClose(): void;
}

/** Makes a link for the person whose voice it is, shows it to copy or to scan, and ends it. `lazy` requires a default export. */
export default function ConsentLinkDialog({ roleId, known, onChange, onClose }: ConsentLinkDialogProps) {
  const [link, setLink] = useState(known);
  const [isPending, setPending] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const content = useRestoredFocus<HTMLDivElement>();

  const change = async (act: () => Promise<OwnedLink | null>) => {
    setPending(true);
    setFault(null);
    try {
      setLink(await act());
      onChange();
    } catch (error) {
      setFault(sentenceFor(refusalOf(error)));
    } finally {
      setPending(false);
    }
  };
  const create = (askerName: string) =>
    change(async () => (await call<{ link: OwnedLink }>(bffPaths.consentLinks, { body: { roleId, askerName } })).link);
  const end = (linkId: string) =>
    change(async () => {
      await callApi("consentLinkRemove", { linkId });
      return null;
    });

  return (
    <Dialog closeLabel={words.close} description={words.sentence} onClose={onClose} title={words.title}>
      <div className="mt-5 grid gap-4" ref={content}>
        <Fault className="text-sm">{fault}</Fault>
        {link ? (
          <Shown isPending={isPending} link={link} onEnd={() => end(link.linkId)} />
        ) : (
          <NameForm isPending={isPending} onCreate={create} />
        )}
      </div>
    </Dialog>
  );
}

function NameForm({ isPending, onCreate }: { isPending: boolean; onCreate(name: string): void }) {
  const id = useId();
  const [name, setName] = useState("");
  const [isMissing, setMissing] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(name.trim() === "");
    if (name.trim() !== "" && !isPending) onCreate(name.trim());
  };
  return (
    <form className="grid gap-4" noValidate onSubmit={submit}>
      <div className="grid gap-1">
        <label className="text-sm font-semibold" htmlFor={id}>
          {words.name}
        </label>
        <input
          aria-describedby={`${id}hint`}
          aria-invalid={isMissing || undefined}
          autoComplete="nickname"
          className="min-h-[44px] w-full min-w-0 rounded border border-edge bg-surface px-3 text-base"
          id={id}
          maxLength={askerNameMax}
          onChange={(event) => setName(event.target.value)}
          placeholder={words.namePlaceholder}
          value={name}
        />
        <p
          className={`text-xs ${isMissing ? "text-seal" : "text-muted"}`}
          id={`${id}hint`}
          role={isMissing ? "alert" : undefined}
        >
          {isMissing ? words.nameMissing : words.nameHint}
        </p>
      </div>
      <Button kind="primary" pending={isPending} type="submit">
        {words.create}
      </Button>
    </form>
  );
}

function Shown({ link, isPending, onEnd }: { link: OwnedLink; isPending: boolean; onEnd(): void }) {
  const { address, qr, state, expiresAt } = link;
  return (
    <>
      {qr && (
        <figure className="m-0 grid justify-items-center gap-2">
          <QrPicture className="h-[176px] w-[176px] border border-line" label={words.qr} qr={qr} />
          <figcaption className="text-xs text-muted">{words.scan}</figcaption>
        </figure>
      )}
      <LinkField
        address={address}
        note={
          state === "waiting" && <p className="tabular text-xs text-muted">{words.until(formatMoment(expiresAt))}</p>
        }
        words={words}
      >
        <a className={buttonClass()} href={address} rel="noreferrer" target="_blank">
          {words.visit}
        </a>
        {state === "waiting" && (
          <Button kind="quiet" onClick={onEnd} pending={isPending}>
            {words.end}
          </Button>
        )}
      </LinkField>
    </>
  );
}
