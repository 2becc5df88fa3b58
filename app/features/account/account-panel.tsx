import { Link } from "@remix-run/react";
import { type ReactNode, useEffect, useId, useState } from "react";
import { bffPaths, callApi, refusalOf } from "~/call";
import { formatExpiry, accountCopy as words } from "~/copy/account";
import { messagesCopy } from "~/copy/account-settings";
import { sentenceFor } from "~/copy/errors";
import { maskPhone } from "~/copy/format";
import { siteCopy } from "~/copy/site";
import { paths } from "~/paths";
import { useCapabilities } from "~/state/capabilities";
import { openMark } from "~/state/dialog-requests";
import { Badge } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import type { CallName } from "~server/contract/calls/table";
import { type ActionContext, createActions } from "./account-actions";
import { Meter } from "./characters";
import { shownTiers, toMeters, useAccount } from "./provider";

interface AccountPanelProps {
  context: ActionContext;
  onClose(): void;
}

const row = "flex min-h-[44px] w-full items-center rounded px-3 text-left text-sm transition-colors hover:bg-wash";

/** The account's tier, characters left and actions. `lazy` requires a default export. */
export default function AccountPanel({ context, onClose }: AccountPanelProps) {
  const { onLogOut, onRemove } = createActions(context);
  const { account, user } = useAccount();
  const { missing } = useCapabilities();
  const has = (name: CallName) => !missing.includes(name);
  const closing = (act: () => void) => () => {
    onClose();
    act();
  };
  return (
    <section
      aria-label={words.label}
      className="max-h-[calc(100dvh-9rem)] w-[min(20rem,calc(100vw-2rem))] overflow-y-auto overscroll-contain rounded-card border border-line bg-surface p-2 shadow-card"
    >
      <div className="grid gap-3 px-3 pb-3 pt-2">
        <p className="tabular flex flex-wrap items-center justify-between gap-x-3 font-semibold">
          {maskPhone(account.phone)}
          {account.isMonthly && <Badge>{words.monthly}</Badge>}
        </p>
        <Tiers />
        {user &&
          toMeters(user, Date.now() / 1000).map((meter) => (
            <Meter key={`${meter.bucket} ${meter.endsAt}`} meter={meter} />
          ))}
      </div>
      <div className="border-t border-line pt-2">
        {has("workList") && <RowLink onClose={onClose} text={words.works} to={paths.works} />}
        <RowLink onClose={onClose} text={words.subscribe} to={paths.subscribe} />
        {context.hasContact && <RowLink onClose={onClose} text={siteCopy.footer.contact} to={paths.contact} />}
        {has("audibleMarkChange") && (
          <button className={row} onClick={closing(openMark)} type="button">
            {words.downloadMark}
            <Icon className="ml-auto text-muted" name="arrow" size={18} />
          </button>
        )}
        {has("messagesChange") && <MessagesSwitch className={row} notify={context.notify} />}
        {has("keyList") && <RowLink onClose={onClose} text={words.keys} to={paths.keys} />}
        {has("userExport") && (
          <a className={row} href={bffPaths.accountExport} onClick={onClose}>
            {words.export}
            <Icon className="ml-auto text-muted" name="download" size={18} />
          </a>
        )}
        <button className={row} onClick={closing(onLogOut)} type="button">
          {words.logOut}
        </button>
        {has("userDelete") && (
          <button className={`${row} text-muted`} onClick={closing(onRemove)} type="button">
            {words.remove}
          </button>
        )}
      </div>
    </section>
  );
}

function RowLink({ text, to, onClose }: { text: string; to: string; onClose(): void }) {
  return (
    <Link className={row} onClick={onClose} to={to}>
      {text}
      <Icon className="ml-auto text-muted" name="arrow" size={18} />
    </Link>
  );
}

function Tiers() {
  const { account, user } = useAccount();
  const now = Date.now() / 1000;
  const tiers = shownTiers(account);
  const isMember = account.isVip || account.isSvip;
  return (
    <div className="grid gap-1.5 text-sm">
      {tiers.map(({ tier, expire }) => (
        <TierRow
          key={tier}
          name={<span className={`font-semibold ${tier === "svip" ? "text-gold" : ""}`}>{words.tiers[tier]}</span>}
        >
          {formatExpiry(expire, now)}
        </TierRow>
      ))}
      {!isMember && (
        <TierRow name={tiers.length > 0 ? "" : words.tiers.none}>
          {user && words.trialsLeft(Math.max(0, user.tryMax - account.tryNum), user.tryMax)}
        </TierRow>
      )}
    </div>
  );
}

function TierRow({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <p className="flex flex-wrap justify-between gap-x-3">
      <span>{name}</span>
      <span className="tabular text-muted">{children}</span>
    </p>
  );
}

interface MessagesSwitchProps extends Pick<ActionContext, "notify"> {
  className: string;
}

/** Turns text messages about payments and memberships on and off; absent where the setting cannot be read. */
function MessagesSwitch({ notify, className }: MessagesSwitchProps) {
  const id = useId();
  const [isOn, setOn] = useState<boolean | null>(null);
  const [isPending, setPending] = useState(true);
  const [isUnread, setUnread] = useState(false);

  useEffect(() => {
    callApi("messages", {})
      .then(
        (setting) => setOn(setting.isOn),
        () => setUnread(true),
      )
      .finally(() => setPending(false));
  }, []);

  const change = async (next: boolean) => {
    // A second press while the first is under way changes nothing.
    if (isPending) return;
    setPending(true);
    try {
      setOn((await callApi("messagesChange", { isOn: next })).isOn);
      notify({ kind: "success", text: next ? messagesCopy.turnedOn : messagesCopy.turnedOff });
    } catch (error) {
      notify({ kind: "error", text: sentenceFor(refusalOf(error)) });
    } finally {
      setPending(false);
    }
  };

  if (isUnread) return null;
  return (
    <label className={`${className} cursor-pointer justify-between gap-3 py-1.5`} htmlFor={id}>
      <span>
        {messagesCopy.label}
        <span className="block text-xs text-muted">{messagesCopy.what}</span>
      </span>
      <input
        aria-busy={isPending}
        checked={isOn ?? true}
        className="h-5 w-5 shrink-0 accent-seal"
        id={id}
        onChange={(event) => void change(event.target.checked)}
        type="checkbox"
      />
    </label>
  );
}
