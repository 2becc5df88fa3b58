import { useEffect, useId, useState } from "react";
import { callApi, refusalOf } from "~/call";
import { sentenceFor } from "~/copy/errors";
import { messagesCopy as words } from "~/copy/messages";
import type { ActionContext } from "./account-actions";

interface MessagesSwitchProps extends Pick<ActionContext, "notify"> {
  className: string;
}

/** Turns text messages about payments and memberships on and off; absent where the setting cannot be read. */
export function MessagesSwitch({ notify, className }: MessagesSwitchProps) {
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
      notify({ kind: "success", text: next ? words.turnedOn : words.turnedOff });
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
        {words.label}
        <span className="block text-xs text-muted">{words.what}</span>
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
