import { useEffect, useRef, useState } from "react";
import { otherTabCopy } from "~/copy/dubbing";
import { dubGenerationCopy } from "~/copy/dubbing-records";
import { useAccount } from "~/features/account/provider";
import { useTaskEvents } from "~/features/tasks/use-task-events";
import { notify } from "~/features/toasts/notify";
import { useHasCall } from "~/offer";
import type { Dub } from "~server/bff/generations.server";
import type { Refusal } from "~server/bff/refusal.server";
import type { Voice } from "~server/bff/roles.server";
import { charactersFree } from "~server/contract/limits";
import type { Draft } from "./draft/draft";
import { useKeptDraft } from "./draft/use-draft-sync";
import { findPolyphones } from "./dub-client";
import { keyOf } from "./editor/cost";
import { createPolyphoneStore } from "./editor/polyphones";
import { createReadAlong } from "./editor/read-along";
import type { ScriptLine } from "./editor/script";
import { createScriptStore, useSettledLines } from "./editor/store";
import { failureWords } from "./failure-words";
import { type Making, useLineStates, useMaking } from "./generation/use-generation";
import { type Price, usePrice } from "./generation/use-price";
import { type FirstPage, useRecords } from "./records/use-records";
import { useSpeakers } from "./use-speakers";

export interface StudioProps {
  /** What this browser kept. */
  draft: Draft;
  voices: readonly Voice[];
  records: FirstPage;
  allowance: Price["allowance"];
}

type OnRefused = (refusal: Refusal, lines: readonly ScriptLine[]) => void;

/** The script, who speaks in it, what is made of it, and what was made before. */
export function useWorkshop({ draft, voices, records, allowance }: StudioProps) {
  const { isLogin } = useAccount().account;
  const hasReadings = useHasCall("readings");
  const hasQuote = useHasCall("dubQuote");
  const readable = useRef(allowance?.limit ?? charactersFree);
  const [{ store, polyphones, along }] = useState(() => ({
    store: createScriptStore(draft.script),
    polyphones: createPolyphoneStore(hasReadings ? findPolyphones : findNone, () => readable.current),
    along: createReadAlong(),
  }));
  const lines = useSettledLines(store);
  const { speakers, know, nameOf } = useSpeakers(draft.speakers, voices);
  const [dubbId, setDubbId] = useState(draft.dubbId);
  const [round, setRound] = useState(0);
  const [said, say] = useState("");
  const shelf = useRecords(records);
  const onRefused = useRef<OnRefused>(() => {});
  const making = useMaking(new Map(draft.made), {
    onRefused: (refusal, sent) => onRefused.current(refusal, sent),
    onDub: shelf.put,
    onUnlisted() {
      notify({ kind: "success", text: dubGenerationCopy.started });
      void shelf.reread();
    },
    onEnded(dub) {
      setRound((now) => now + 1);
      if (dub.status === 2) say(dubGenerationCopy.done);
      else notify({ kind: dub.reason === "cancelled" ? "info" : "error", text: failureWords(dub) });
    },
  });
  useFollowing(making, { shelf, dubbId, isLogin });
  const price = usePrice(lines, making.made, { allowance, isAsked: isLogin && hasQuote, round });
  readable.current = price.allowance?.limit ?? charactersFree;
  const isOwn = (one: Dub) => one.dubbId === dubbId;
  const dub = making.followed.find(isOwn) ?? shelf.records.list.find(isOwn) ?? null;

  const kept = useKeptDraft({
    revision: draft.revision,
    read() {
      const script = store.get();
      const used = new Set(script.lines.map(({ roleId }) => roleId));
      const keys = new Set(script.lines.map(keyOf));
      return {
        script,
        speakers: [...speakers.values()].filter(({ roleId }) => used.has(roleId)),
        made: [...making.made].filter(([key]) => keys.has(key)),
        dubbId,
      };
    },
    onAdopt(theirs) {
      know(theirs.speakers);
      setDubbId(theirs.dubbId);
      store.edit({ type: "replace", script: theirs.script });
      notify({ kind: "info", text: otherTabCopy.adopted });
    },
  });
  useTouch(kept.touch, store.subscribe, making.made, dubbId);

  return {
    ...{ isLogin, store, polyphones, along, lines, speakers, know, nameOf, dub, setDubbId, said, say },
    ...{ shelf, making, price, kept, onRefused },
    states: useLineStates(lines, making),
    running: dub?.status === 1 ? dub : null,
    /** What things take may have changed. */
    askPrice: () => setRound((now) => now + 1),
    /** Who speaks where nobody was chosen. */
    narrator: () => store.get().lines.find(({ roleId }) => roleId)?.roleId ?? voices[0]?.roleId ?? "",
  };
}

export type Workshop = ReturnType<typeof useWorkshop>;

const findNone = async () => [];

interface Following {
  shelf: ReturnType<typeof useRecords>;
  dubbId: string | null;
  isLogin: boolean;
}

/** Hears of the account's dubs; what was begun before this page opened goes on here. */
function useFollowing({ follow, followed, refresh, onEvent }: Making, { shelf, dubbId, isLogin }: Following) {
  useTaskEvents(onEvent, {
    isWatching: isLogin,
    isBusy: [...followed, ...shelf.records.list].some(({ status }) => status === 1),
    onStale() {
      void shelf.reread();
      for (const one of followed) if (one.status === 1) void refresh(one.dubbId);
    },
  });
  const { list } = shelf.records;
  useEffect(() => {
    for (const one of list) if (one.status === 1 || one.dubbId === dubbId) follow(one);
  }, [list, dubbId, follow]);
}

/** Every change is kept: of the script, and of what is made of it. */
function useTouch(touch: () => void, subscribe: (watch: () => void) => () => void, ...others: unknown[]) {
  useEffect(() => subscribe(touch), [subscribe, touch]);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) touch();
    isFirst.current = false;
  }, [...others, touch]);
}
