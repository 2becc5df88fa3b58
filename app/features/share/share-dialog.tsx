import { type ReactNode, useEffect, useId, useState } from "react";
import { callApi, type Refusal, refusalOf } from "~/call";
import { sentenceFor } from "~/copy/errors";
import { embedCopy, shareCopy as words } from "~/copy/share";
import { paths } from "~/paths";
import { Button, buttonClass } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { copyText, Fault, Skeleton } from "~/ui/feedback";
import type { CallData } from "~server/contract/calls/table";

type Share = CallData<"shareCreate">;

interface ShareDialogProps extends Pick<Share, "kind" | "id"> {
  onClose(): void;
}

/** Makes a result public, shows the link, and takes it back. */
export function ShareDialog({ kind, id, onClose }: ShareDialogProps) {
  const { share, refusal, isPending, change } = useShare(kind, id);
  const revoke = (shareId: string) =>
    change(async () => {
      await callApi("shareRevoke", { shareId });
      return null;
    });
  const create = (isListed: boolean) => change(() => callApi("shareCreate", { kind, id, isListed }));

  return (
    <Dialog
      closeLabel={words.close}
      description={words.sentence}
      onClose={onClose}
      title={kind === "video" ? words.filmTitle : words.title}
    >
      <div className="mt-5 grid gap-4">
        <Fault className="text-sm">{refusal && sentenceFor(refusal)}</Fault>
        {share === undefined && !refusal && <Skeleton className="h-11 rounded" />}
        {share === null && (
          <Button kind="primary" onClick={() => create(false)} pending={isPending}>
            {words.create}
          </Button>
        )}
        {share && (
          <Shared isPending={isPending} onListed={create} onRevoke={() => revoke(share.shareId)} share={share} />
        )}
      </div>
    </Dialog>
  );
}

/** Undefined while it is read, null if the result has no page. */
function useShare(kind: Share["kind"], id: string) {
  const [share, setShare] = useState<Share | null>();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isPending, setPending] = useState(false);
  useEffect(() => {
    const gone = new AbortController();
    callApi("shareList", { kind, id }, { signal: gone.signal }).then(
      ({ list }) => setShare(list.find((one) => one.id === id) ?? null),
      (error: unknown) => gone.signal.aborted || setRefusal(refusalOf(error)),
    );
    return () => gone.abort();
  }, [kind, id]);
  const change = async (act: () => Promise<Share | null>) => {
    setPending(true);
    setRefusal(null);
    try {
      setShare(await act());
    } catch (error) {
      setRefusal(refusalOf(error));
    } finally {
      setPending(false);
    }
  };
  return { share, refusal, isPending, change };
}

interface SharedProps {
  share: Share;
  isPending: boolean;
  onListed(isListed: boolean): void;
  onRevoke(): void;
}

interface LinkFieldProps {
  address: string;
  words: { link: string; copy: string; copied: string };
  /** Below the address. */
  note?: ReactNode;
  /** Further buttons. */
  children?: ReactNode;
}

/** An address to copy; it is selected where the clipboard refuses. `copied` and `copy` name the button. */
export function LinkField({ address, words: { link, copy, copied }, note, children }: LinkFieldProps) {
  const id = useId();
  const [isCopied, setCopied] = useState(false);
  const copyAddress = async () => {
    if (await copyText(address)) setCopied(true);
    else document.getElementById(id)?.focus();
  };
  return (
    <>
      <div className="grid gap-1">
        <label className="text-sm font-semibold" htmlFor={id}>
          {link}
        </label>
        <input
          className="min-h-[44px] w-full min-w-0 rounded border border-edge bg-surface px-3 text-base"
          id={id}
          onFocus={(event) => event.currentTarget.select()}
          readOnly
          value={address}
        />
        {note}
      </div>
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" onClick={copyAddress}>
          {isCopied ? copied : copy}
        </Button>
        {children}
      </div>
    </>
  );
}

/** Pixels that hold the player, its heading and its label. */
const frameHeights = { clone: 190, dub: 190, trial: 190, video: 420 };

function Shared({ share, isPending, onListed, onRevoke }: SharedProps) {
  const path = paths.share(share.shareId);
  const source = window.location.origin + paths.shareEmbed(share.shareId);
  const frame = `<iframe src="${source}" title="${words.frameTitle}" width="100%" height="${frameHeights[share.kind]}" loading="lazy" style="border:0"></iframe>`;
  return (
    <>
      <LinkField address={window.location.origin + path} words={words}>
        <a className={buttonClass()} href={path} rel="noreferrer" target="_blank">
          {words.visit}
        </a>
        <Button kind="quiet" onClick={onRevoke} pending={isPending}>
          {words.revoke}
        </Button>
      </LinkField>
      <label className="flex min-h-[44px] cursor-pointer items-center gap-3 text-sm">
        <input
          checked={share.isListed}
          className="h-5 w-5 shrink-0"
          onChange={(event) => onListed(event.target.checked)}
          type="checkbox"
        />
        <span>
          {words.listed}
          <span className="block text-xs text-muted">{words.listedHint}</span>
        </span>
      </label>
      <details>
        <summary className="flex min-h-[44px] cursor-pointer items-center text-sm font-semibold">
          {embedCopy.open}
        </summary>
        <div className="grid gap-3 pt-1">
          <LinkField address={frame} words={embedCopy} />
        </div>
      </details>
    </>
  );
}
