import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { editorCopy, otherTabCopy } from "~/copy/dubbing";
import { dubGenerationCopy } from "~/copy/dubbing-records";
import { useAccount } from "~/features/account/provider";
import { createPolyphoneStore, findPolyphones } from "~/features/readings/polyphones";
import { type TaskEvent, useTaskEvents } from "~/features/tasks/task-events";
import { notify } from "~/features/toasts/notify";
import { useHasCall } from "~/state/capabilities";
import type { Allowance } from "~server/bff/accounts.server";
import type { Dub } from "~server/bff/generations.server";
import type { Voice } from "~server/bff/roles.server";
import { charactersFree } from "~server/contract/limits";
import { useDraftSync } from "./draft";
import { failureText, isRunning } from "./dub";
import { type LineState, toLineStates } from "./editor/line-status";
import { createReadAlong } from "./editor/read-along";
import { lineKeyOf, type ScriptLine, type Speaker } from "./editor/script";
import { createLineSelection } from "./editor/selection";
import { createScriptStore, type ScriptStore, useSettledLines } from "./editor/store";
import type { EditorStores } from "./editor/use-line-actions";
import { type FirstPage, hasEndNotices, type Records, tellEnd, useRecords } from "./records/use-records";
import type { Draft } from "./stored-draft";
import { type Takes, useTakes } from "./takes";
import { type Generation, useGeneration, usePrice } from "./use-generation";

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
  const { isLogin, refreshedAt } = useAccount().account;
  const hasReadings = useHasCall("readings");
  const hasQuotes = useHasCall("dubQuote") && isLogin;
  const polyphoneMax = useRef(charactersFree);
  const [editor] = useState((): EditorStores => {
    const store = createScriptStore(draft.script);
    return {
      store,
      selection: createLineSelection(store),
      polyphones: createPolyphoneStore(hasReadings ? findPolyphones : async () => [], () => polyphoneMax.current),
      readAlong: createReadAlong(),
    };
  });
  const lines = useSettledLines(editor.store);
  const cast = useCast(editor.store, [...draft.speakers, ...voices], voices[0]?.roleId ?? "");
  const records = useRecords(firstPage);
  const generation = useGeneration(new Map(draft.made), {
    onChanged: records.upsert,
    async onUnlisted() {
      await records.refresh();
      notify({ kind: "success", text: dubGenerationCopy.started });
    },
    onEnded(dub) {
      if (dub.status === 2) announce(dubGenerationCopy.done);
      else notify({ kind: dub.reason === "cancelled" ? "info" : "error", text: failureText(dub) });
    },
  });
  const price = usePrice(lines, generation, { allowance, accountVersion: refreshedAt, hasQuotes });
  polyphoneMax.current = price.allowance?.limit ?? charactersFree;
  const selection = useSelection(draft.dubbId, generation, records);
  useTaskFeed(generation, records, isLogin);
  const takes = useTakes(new Map(draft.takes), lines, generation.audios);
  const draftSync = useDraft(projectId, draft.revision, { editor, cast, generation, selection, takes });

  return {
    projectId,
    editor,
    lines,
    cast,
    generation,
    states: useLineStates(lines, generation),
    selection,
    records,
    takes,
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
  const onDub = (event: TaskEvent) => void refresh(event.taskId).then(() => tellEnd(event));
  useTaskEvents((event) => event.kind === "dub" && onDub(event), {
    isWatching: isLoggedIn,
    isBusy: [...followed, ...records.state.list].some(isRunning),
    staysOpen: hasEndNotices,
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
  takes: Takes;
}

/** Saves the draft after every change of the script, of its audio or of its dub. */
function useDraft(
  projectId: string,
  revision: string,
  { editor: { store }, cast, generation: { audios }, selection, takes }: DraftParts,
) {
  const { dubbId, select } = selection;
  const read = () => {
    const script = store.get();
    const keptTakes = [...takes.get()].filter(([id]) => script.lines.some((line) => line.id === id));
    const spoken = [...script.lines, ...keptTakes.flatMap(([, all]) => all.map(({ line }) => line))];
    const used = new Set(spoken.map(({ roleId }) => roleId));
    const keys = new Set([
      ...script.lines.map(lineKeyOf),
      ...keptTakes.flatMap(([, all]) => all.map(({ key }) => key)),
    ]);
    return {
      script,
      takes: keptTakes,
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
  // A take may follow the save of the text and of the sound that it belongs to.
  useEffect(() => takes.subscribe(markChanged), [takes, markChanged]);
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
      return import("./projects/versions").then(
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
    /** For lines without a role. */
    defaultRoleId: () => store.get().lines.find(({ roleId }) => roleId)?.roleId ?? fallbackRoleId,
  };
}

export type Cast = ReturnType<typeof useCast>;

const toEntry = ({ roleId, name, avatar, portrait }: Speaker): [string, Speaker] => [
  roleId,
  { roleId, name, avatar, portrait },
];

/** The states of the lines. Unchanged states are the same objects, so that their lines do not render again. */
function useLineStates(lines: readonly ScriptLine[], { audios, followed }: Generation): ReadonlyMap<string, LineState> {
  const previous = useRef(new Map<string, LineState>());
  return useMemo(() => {
    const states = toLineStates(lines, audios, followed, failureText);
    for (const [id, state] of states) {
      const before = previous.current.get(id);
      if (before && JSON.stringify(before) === JSON.stringify(state)) states.set(id, before);
    }
    const isSame =
      states.size === previous.current.size && [...states].every(([id, one]) => previous.current.get(id) === one);
    if (!isSame) previous.current = states;
    return previous.current;
  }, [lines, audios, followed]);
}
