import { useNavigate } from "@remix-run/react";
import { useState } from "react";
import { cloneRecordsCopy as words } from "~/copy/clone";
import { sentenceFor } from "~/copy/errors";
import { joinClauses } from "~/copy/format";
import { askToBuy } from "~/features/checkout/buy-flag";
import { askToConfirm } from "~/features/confirm/confirm";
import { notify } from "~/features/toasts/notify";
import { paths } from "~/paths";
import type { CloneRecord } from "~server/bff/generations.server";
import type { Refusal } from "~server/bff/refusal.server";
import { entitlementReasonOf } from "~server/contract/codes";
import { changeTask, deleteClones } from "../clone-client";

export type Acting = "cancel" | "retry";

interface Options {
  /** Whether a generation takes characters; else it takes a trial. */
  isMember: boolean;
  refresh(): void;
  setGone(ids: readonly string[], isGone: boolean): void;
  onRemoved(ids: readonly string[]): void;
}

/** What can be done to records; each says how it went. */
export function useRecordActions({ isMember, refresh, setGone, onRemoved }: Options) {
  const [acting, setActing] = useState<ReadonlyMap<string, Acting>>(new Map());
  const navigate = useNavigate();

  const refused = (refusal: Refusal) => {
    if (refusal.code === "login-expired") return navigate(paths.loginExpiredFrom(paths.clone));
    notify({ kind: "error", text: sentenceFor(refusal) });
    if (refusal.code === "entitlement" && entitlementReasonOf(refusal.data)) askToBuy();
  };

  const change = async ({ taskId, characters }: CloneRecord, act: Acting) => {
    if (acting.has(taskId)) return;
    setActing((now) => new Map(now).set(taskId, act));
    const answer = await changeTask(taskId, act);
    setActing((now) => new Map([...now].filter(([id]) => id !== taskId)));
    refresh();
    if (!answer.ok) return refused(answer.refusal);
    const returned = isMember ? words.returned(characters) : words.trialReturned;
    if (act === "cancel") notify({ kind: "success", text: joinClauses(words.states.cancelled, returned) });
  };

  const remove = async (chosen: readonly CloneRecord[]) => {
    const ids = chosen.map(({ taskId }) => taskId);
    const isRunning = chosen.some(({ status }) => status === 1);
    const isSure = await askToConfirm({
      title: words.confirm.title,
      text: words.confirm.text(ids.length) + (isRunning ? words.confirm.running : ""),
      confirm: words.confirm.go,
    });
    if (!isSure) return;
    setGone(ids, true);
    const answer = await deleteClones(ids);
    if (!answer.ok) {
      setGone(ids, false);
      return refused(answer.refusal);
    }
    onRemoved(ids);
    refresh();
    notify({ kind: "success", text: words.removed(ids.length) });
  };

  const copy = async (text: string) => {
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    notify(isCopied ? { kind: "success", text: words.copied } : { kind: "error", text: words.copyFailed });
  };

  return {
    acting,
    cancel: (record: CloneRecord) => void change(record, "cancel"),
    retry: (record: CloneRecord) => void change(record, "retry"),
    remove: (chosen: readonly CloneRecord[]) => void remove(chosen),
    copy: (record: CloneRecord) => void copy(record.content),
  };
}
