import { useCallback, useEffect, useRef, useState } from "react";
import { editorCopy, otherTabCopy } from "~/copy/dubbing";
import { dubGenerationCopy } from "~/copy/dubbing-records";
import { useAccount } from "~/features/account/provider";
import { useTaskEvents } from "~/features/tasks/task-events";
import { notify } from "~/features/toasts/notify";
import { useHasCall } from "~/offer";
import type { Dub } from "~server/bff/generations.server";
import type { Voice } from "~server/bff/roles.server";
import { charactersFree } from "~server/contract/limits";
import { type Draft, useDraftSync } from "./draft";
import { failureText, findPolyphones, isRunning } from "./dub";
import { createPolyphoneStore } from "./editor/polyphones";
import { createReadAlong } from "./editor/read-along";
import { lineKeyOf, type Speaker } from "./editor/script";
import { createScriptStore, type ScriptStore, useSettledLines } from "./editor/store";
import type { EditorStores } from "./editor/use-line-actions";
import { type Allowance, usePrice } from "./footer";
import { type FirstPage, type Records, useRecords } from "./records/use-records";
import { type Generation, useGeneration, useLineStates } from "./use-generation";

export interface StudioProps {
  projectId: string;
  draft: Draft;
  voices: readonly Voice[];
  records: FirstPage;
  allowance: Allowance | null;
}

/** The state of the page. `announce` sends a text to screen readers. */
export function useDubSession(props: StudioProps, announce: Announce) {
  const { projectId, draft, voices, records: firstPage, allowance } = props;
  const { isLogin } = useAccount().account;
  const hasReadings = useHasCall("readings");
  const hasQuotes = useHasCall("dubQuote") && isLogin;
  const polyphoneMax = useRef(charactersFree);
  const [editor] = useState(
    (): EditorStores => ({
      store: createScriptStore(draft.script),
      polyphones: createPolyphoneStore(hasReadings ? findPolyphones : async () => [], () => polyphoneMax.current),
      readAlong: createReadAlong(),
    }),
  );
  const lines = useSettledLines(editor.store);
  const cast = useCast(editor.store, [...draft.speakers, ...voices], voices[0]?.roleId ?? "");
  const records = useRecords(firstPage);
  const generation = useGeneration(new Map(draft.made), {
    onChanged: records.upsert,
    onUnlisted() {
      notify({ kind: "success", text: dubGenerationCopy.started });
      void records.refresh();
    },
    onEnded(dub) {
      if (dub.status === 2) announce(dubGenerationCopy.done);
      else notify({ kind: dub.reason === "cancelled" ? "info" : "error", text: failureText(dub) });
    },
  });
  const price = usePrice(lines, generation, { allowance, hasQuotes });
  polyphoneMax.current = price.allowance?.limit ?? charactersFree;
  const selection = useSelection(draft.dubbId, generation, records);
  useTaskFeed(generation, records, isLogin);
  const draftSync = useDraft(projectId, draft.revision, { editor, cast, generation, selection });

  return {
    projectId,
    editor,
    cast,
    generation,
    states: useLineStates(lines, generation),
    selection,
    records,
    price,
    draftSync,
  };
}

type Announce = (text: string) => void;
export type DubSession = ReturnType<typeof useDubSession>;

/** The dub of the script: the one that was started or opened last. */
function useSelection(initialId: string | null, { followed, follow }: Generation, { state }: Records) {
  const [dubbId, select] = useState(initialId);
  const isSelected = (dub: Dub) => dub.dubbId === dubbId;
  const { list } = state;
  // Dubs that this page did not start.
  useEffect(() => {
    for (const dub of list) if (isRunning(dub) || dub.dubbId === dubbId) follow(dub);
  }, [list, dubbId, follow]);
  return { dubbId, dub: followed.find(isSelected) ?? list.find(isSelected) ?? null, select };
}

type Selection = ReturnType<typeof useSelection>;

/** Refreshes dubs when the account's tasks change. */
function useTaskFeed({ followed, refresh }: Generation, records: Records, isLoggedIn: boolean) {
  useTaskEvents(({ kind, taskId }) => kind === "dub" && void refresh(taskId), {
    isWatching: isLoggedIn,
    isBusy: [...followed, ...records.state.list].some(isRunning),
    onStale() {
      void records.refresh();
      for (const dub of followed) if (isRunning(dub)) void refresh(dub.dubbId);
    },
  });
}

interface DraftParts {
  editor: EditorStores;
  cast: Cast;
  generation: Generation;
  selection: Selection;
}

/** Saves the draft after every change of the script, of its audio or of its dub. */
function useDraft(
  projectId: string,
  revision: string,
  { editor: { store }, cast, generation: { audios }, selection }: DraftParts,
) {
  const { dubbId, select } = selection;
  const read = () => {
    const script = store.get();
    const used = new Set(script.lines.map(({ roleId }) => roleId));
    const keys = new Set(script.lines.map(lineKeyOf));
    return {
      script,
      speakers: [...cast.speakers.values()].filter(({ roleId }) => used.has(roleId)),
      made: [...audios].filter(([key]) => keys.has(key)),
      dubbId,
    };
  };
  const sync = useDraftSync({
    projectId,
    revision,
    read,
    onReplaced(draft) {
      cast.addSpeakers(draft.speakers);
      select(draft.dubbId);
      store.edit({ type: "replace", script: draft.script });
      notify({ kind: "info", text: otherTabCopy.adopted });
    },
  });
  const { markChanged } = sync;
  useEffect(() => store.history.subscribe(markChanged), [store, markChanged]);
  const saved = useRef({ audios, dubbId });
  useEffect(() => {
    if (saved.current.audios === audios && saved.current.dubbId === dubbId) return;
    saved.current = { audios, dubbId };
    markChanged();
  }, [audios, dubbId, markChanged]);
  return {
    ...sync,
    /** Keeps the script as it is now among the project's versions. */
    saveVersion() {
      const draft = read();
      return import("./projects/storage").then(
        ({ saveVersion }) => saveVersion(projectId, draft),
        // Without a connection the version is not kept; the draft is.
        () => {},
      );
    },
  };
}

/** The roles that can speak in the script: of the draft, the account and the square. */
function useCast(store: ScriptStore, initial: readonly Speaker[], fallbackRoleId: string) {
  const [speakers, setSpeakers] = useState<ReadonlyMap<string, Speaker>>(() => new Map(initial.map(toEntry)));
  const addSpeakers = useCallback((added: readonly Speaker[]) => {
    setSpeakers((now) => new Map([...now, ...added.map(toEntry)]));
  }, []);
  return {
    speakers,
    addSpeakers,
    nameOf: (roleId: string) => speakers.get(roleId)?.name ?? editorCopy.goneRole,
    /** For lines without a role of their own. */
    defaultRoleId: () => store.get().lines.find(({ roleId }) => roleId)?.roleId ?? fallbackRoleId,
  };
}

export type Cast = ReturnType<typeof useCast>;

const toEntry = ({ roleId, name, avatar, portrait }: Speaker): [string, Speaker] => [
  roleId,
  { roleId, name, avatar, portrait },
];
