import { useState } from "react";
import { callApi, changeTask, refusalOf } from "~/call";
import { cloneRecordsCopy as words } from "~/copy/clone";
import { sentenceFor } from "~/copy/errors";
import { joinClauses } from "~/copy/format";
import { notify } from "~/features/toasts/notify";
import { askToBuyFor, askToConfirm } from "~/state/dialog-requests";
import { copyText } from "~/ui/feedback";
import type { CloneRecord } from "~server/bff/generations.server";
import { entitlementReasonOf } from "~server/contract/codes";

export type RecordAction = "cancel" | "retry";

interface RecordActionsOptions {
  /** Generations cost characters for members, trials for others. */
  isMember: boolean;
  refresh(): void;
  setRemoved(ids: readonly string[], isRemoved: boolean): void;
  onRemoved(ids: readonly string[]): void;
}

/** The actions on records; each shows its outcome. */
export function useRecordActions({ isMember, refresh, setRemoved, onRemoved }: RecordActionsOptions) {
  const [pending, setPending] = useState<ReadonlyMap<string, RecordAction>>(new Map());

  const onRefused = (error: unknown) => {
    const refusal = refusalOf(error);
    notify({ kind: "error", text: sentenceFor(refusal) });
    if (refusal.code === "entitlement") askToBuyFor(entitlementReasonOf(refusal.data));
  };

  const change = async ({ taskId, characters }: CloneRecord, action: RecordAction) => {
    if (pending.has(taskId)) return;
    setPending((now) => new Map(now).set(taskId, action));
    try {
      await changeTask(taskId, action);
      const returned = isMember ? words.returned(characters) : words.trialReturned;
      if (action === "cancel") notify({ kind: "success", text: joinClauses(words.states.cancelled, returned) });
    } catch (error) {
      onRefused(error);
    }
    setPending((now) => new Map([...now].filter(([id]) => id !== taskId)));
    refresh();
  };

  const remove = async (records: readonly CloneRecord[]) => {
    const ids = records.map(({ taskId }) => taskId);
    const isRunning = records.some(({ status }) => status === 1);
    const isConfirmed = await askToConfirm({
      title: words.confirm.title,
      text: words.confirm.text(ids.length) + (isRunning ? words.confirm.running : ""),
      confirm: words.confirm.go,
    });
    if (!isConfirmed) return;
    setRemoved(ids, true);
    try {
      await callApi("cloneDelete", { ids });
    } catch (error) {
      setRemoved(ids, false);
      return onRefused(error);
    }
    onRemoved(ids);
    refresh();
    notify({ kind: "success", text: words.removed(ids.length) });
  };

  const copy = async (record: CloneRecord) => {
    const isCopied = await copyText(record.content);
    notify(isCopied ? { kind: "success", text: words.copied } : { kind: "error", text: words.copyFailed });
  };

  return { pending, change, remove, copy };
}
