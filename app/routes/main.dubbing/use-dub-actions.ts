import { callApi, changeTask, refusalOf } from "~/call";
import { editorCopy } from "~/copy/dubbing";
import { dubbingRecordsCopy, dubGenerationCopy } from "~/copy/dubbing-records";
import { sentenceFor } from "~/copy/errors";
import { formatDetail } from "~/copy/format";
import { useAccount } from "~/features/account/provider";
import { notify } from "~/features/toasts/notify";
import { askToBuyFor, askToConfirm, askToLogIn, rememberAction, usePendingAction } from "~/state/dialog-requests";
import { createSavedValue, owned } from "~/ui/store";
import type { Dub } from "~server/bff/generations.server";
import { entitlementReasonOf } from "~server/contract/codes";
import { speedUp } from "~server/contract/limits";
import { hasMusicOf, isDubOf, isRunning, titleOf } from "./dub";
import { isInProgress } from "./editor/line-status";
import { computeCost, isBlank, lineKeyOf, type ScriptLine } from "./editor/script";
import type { ScriptStore } from "./editor/store";
import type { LineTiming } from "./editor/timing";
import type { DubSession } from "./use-dub-session";
import type { Playback } from "./use-playback";

/**
 * Starts, cancels, retries and deletes dubs, and plays lines; lines without audio are generated first. Asks for a login
 * or a confirmation where needed. `onRoleMissing` receives the first line without a role.
 */
export function useDubActions(session: DubSession, playback: Playback, onRoleMissing: (lineId: string) => void) {
  const { generation, states, selection, draftSync } = session;
  const { store } = session.editor;
  const { isLogin } = useAccount().account;
  const requestLogin = useLoginRequest(
    { make: () => void generate(), listen: (ids) => void listenTo(ids) },
    draftSync.save,
  );
  const writtenLines = () => store.get().lines.filter((line) => !isBlank(line));
  /** After an expired login or a payment the action, if there is one, continues. */
  const reportRefusal = (lines: readonly ScriptLine[], action?: RequestedAction) => (error: unknown) => {
    if (refusalOf(error).code !== "login-expired") notifyRefusal(session, error, lines, action);
    else if (action) requestLogin(action.name, action.ids, "expired");
    return null;
  };
  async function generate() {
    const lines = writtenLines();
    if (lines.length === 0 || !haveRoles(lines, store, onRoleMissing)) return;
    if (!isLogin) return requestLogin("make", []);
    const dub = await generation
      .start(store.get(), lines, { revises: selection.dubbId })
      .catch(reportRefusal(lines, { name: "make", ids: [] }));
    if (!dub) return;
    selection.select(dub.dubbId);
    void draftSync.saveVersion();
  }

  async function listenTo(ids: readonly string[]) {
    const lines = writtenLines().filter(({ id }) => ids.includes(id));
    const missing = lines.filter(
      (line) => !generation.audios.has(lineKeyOf(line)) && !isInProgress(states.get(line.id)),
    );
    if (lines.length === 0 || !haveRoles(missing, store, onRoleMissing)) return;
    if (missing.length > 0) {
      if (!isLogin) return requestLogin("listen", ids);
      if (!(await confirmTake(session, missing, ids.length > 1))) return;
      const report = reportRefusal(missing, { name: "listen", ids });
      if (!(await generation.start(store.get(), missing, { isTake: true }).catch(report))) return;
    }
    playback.playLines(lines.map(({ id }) => id));
  }

  return {
    requestLogin,
    generate,
    speedUp: (ids: readonly string[]) => remakeFaster(session, ids, reportRefusal),
    /** Faster as far as needed, and longer than the subtitle where that is not enough. */
    fitAll(ids: readonly string[]) {
      allowFaster(store, ids, { mayOverrun: true });
      void generate();
    },
    listenLine: (id: string) => (playback.playing?.id === id ? playback.toggle() : void listenTo([id])),
    listenFrom(id: string) {
      const ids = writtenLines().map((line) => line.id);
      void listenTo(ids.slice(Math.max(0, ids.indexOf(id))));
    },
    /** Plays the finished dub as a whole if it is still the script's, else line by line. */
    listenAll() {
      if (playback.isPlaying || playback.isPaused) return playback.toggle();
      const lines = writtenLines();
      const ids = lines.map(({ id }) => id);
      const { dub } = selection;
      if (dub && isRunning(dub)) return playback.playLines(ids);
      if (dub && isWhole(dub, lines, session)) return playback.playWhole(dub);
      void listenTo(ids);
    },
    changeDub(dub: Dub, act: "cancel" | "retry") {
      generation.follow(dub);
      void changeTask(dub.dubbId, act).then(() => generation.refresh(dub.dubbId), reportRefusal([]));
    },
    removeDub: (dub: Dub) => removeDub(session, dub),
  };
}

/** False, and said, if a line has no role. */
function haveRoles(lines: readonly ScriptLine[], store: ScriptStore, onMissing: (lineId: string) => void): boolean {
  const missing = lines.find(({ roleId }) => !roleId);
  if (!missing) return true;
  notify({ kind: "warning", text: dubGenerationCopy.cost.noRole(store.get().lines.indexOf(missing) + 1) });
  onMissing(missing.id);
  return false;
}

/** A finished dub with the sound of the script as it is now. */
function isWhole(dub: Dub, lines: readonly ScriptLine[], { editor, price }: DubSession): boolean {
  // Some upstreams keep one file per dub, without files of its lines.
  const hasLineFiles = dub.lines.some(({ voiceUrl }) => voiceUrl);
  const isOfScript = dub.status === 2 && isDubOf(dub, lines) && hasMusicOf(dub, editor.store.get());
  return isOfScript && (price.changed === 0 || !hasLineFiles);
}

async function removeDub({ records, generation, selection }: DubSession, dub: Dub): Promise<void> {
  const { dubbId } = dub;
  const text = dubbingRecordsCopy.removeText(titleOf(dub));
  if (!(await askToConfirm({ text, confirm: dubbingRecordsCopy.remove }))) return;
  try {
    await callApi("dubDelete", { dubbId });
  } catch (error) {
    return notify({ kind: "error", text: sentenceFor(refusalOf(error)) });
  }
  notify({ kind: "success", text: dubbingRecordsCopy.removed });
  records.remove(dubbId);
  generation.forget(dubbId);
  if (dubbId === selection.dubbId) selection.select(null);
}

export type DubActions = ReturnType<typeof useDubActions>;

const allowFaster = (store: ScriptStore, ids: readonly string[], timing: LineTiming = {}) =>
  store.edit({ type: "set", ids, change: { ...timing, speedUpMax: speedUp.max } });

/** Makes the lines again; equal lines are paid once, so that this is free. */
function remakeFaster(
  { editor: { store }, generation }: DubSession,
  ids: readonly string[],
  reportRefusal: (lines: readonly ScriptLine[]) => (error: unknown) => null,
) {
  allowFaster(store, ids);
  const lines = store.get().lines.filter(({ id }) => ids.includes(id));
  void generation.start(store.get(), lines, { isTake: true }).catch(reportRefusal(lines));
}

/** Asks before several lines are generated, or before a trial is used; the price of one line is shown on its button. */
async function confirmTake({ price, generation }: DubSession, missing: readonly ScriptLine[], isMany: boolean) {
  const tier = price.allowance?.tier ?? null;
  if (tier !== null && !isMany) return true;
  const { characters, changed } = computeCost(missing, generation.audios);
  const text =
    tier === null
      ? dubGenerationCopy.takeTrial(changed.length, Math.max(0, (price.allowance?.left ?? 0) - 1))
      : dubGenerationCopy.takeText(changed.length, characters);
  return askToConfirm({
    title: dubGenerationCopy.takeTitle,
    text,
    confirm: dubGenerationCopy.take,
    cancel: dubGenerationCopy.takeCancel,
  });
}

/** Shows the refusal; opens the purchase for an entitlement, and moves the caret to the line that the refusal names. */
function notifyRefusal(
  { editor: { store }, cast }: DubSession,
  error: unknown,
  sent: readonly ScriptLine[],
  action?: RequestedAction,
) {
  const refusal = refusalOf(error);
  if (action) savedAction.write(action);
  if (refusal.code === "entitlement") askToBuyFor(entitlementReasonOf(refusal.data), action && "to-dub");
  const line = sent[Number(refusal.data?.line ?? Number.NaN)];
  const place = line ? store.get().lines.findIndex(({ id }) => id === line.id) + 1 : 0;
  if (line) store.requestCaret({ id: line.id, at: line.content.length });
  const sentence = sentenceFor(refusal);
  const text = line && place > 0 ? formatDetail(editorCopy.line(place, cast.nameOf(line.roleId)), sentence) : sentence;
  notify({ kind: "error", text });
}

interface ResumableActions {
  make(): void;
  listen(ids: readonly string[]): void;
}

interface RequestedAction {
  name: keyof ResumableActions;
  ids: readonly string[];
}

const savedAction = createSavedValue(owned("dubbing-pressed"), (json) => json as RequestedAction | null);

/**
 * Asks for a login unless one has just expired. After a login or a payment the action runs, even after a reload. `save`
 * saves the draft.
 */
function useLoginRequest(actions: ResumableActions, save: () => Promise<void>) {
  const { isLogin } = useAccount().account;
  usePendingAction(isLogin, {
    "to-dub"() {
      const action = savedAction.read();
      if (action?.name === "make") actions.make();
      if (action?.name === "listen") actions.listen(action.ids);
    },
  });
  return (name: RequestedAction["name"], ids: readonly string[], reason: "to-dub" | "asked" | "expired" = "to-dub") => {
    savedAction.write({ name, ids });
    void save();
    if (reason === "expired") rememberAction("to-dub");
    else askToLogIn(reason);
  };
}
