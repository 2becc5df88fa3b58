import { useRef } from "react";
import { editorCopy } from "~/copy/dubbing";
import { dubbingRecordsCopy } from "~/copy/dubbing-records";
import { notify } from "~/features/toasts/notify";
import type { Dub } from "~server/bff/generations.server";
import { wholePlace } from "./editor/edits";
import { pauseMark } from "./editor/pieces";
import { createLine, deliveryOf } from "./editor/script";
import type { Caret } from "./editor/store";
import { removeDub } from "./records/remove-dub";
import { scriptOf } from "./script-of-dub";
import type { Workshop } from "./use-dub-session";

/** What the buttons around the script do to it. */
export function useWriting({ store, narrator, know, making, setDubbId, shelf, askPrice, dub }: Workshop) {
  const caret = useRef<Caret | null>(null);
  return {
    onCaret(at: Caret) {
      caret.current = at;
    },
    addLine() {
      const { lines } = store.get();
      const last = lines[lines.length - 1];
      const fresh = createLine({ ...(last && deliveryOf(last)), roleId: last?.roleId || narrator() });
      store.edit({ type: "insert", after: last?.id ?? null, lines: [fresh] }, { id: fresh.id, at: 0 });
    },
    /** Where the caret is, or was last. */
    insertPause(seconds: number) {
      const { lines } = store.get();
      const line = lines.find(({ id }) => id === caret.current?.id) ?? lines[0];
      if (!line) return;
      const place = wholePlace(line.content, line.id === caret.current?.id ? caret.current.at : 0);
      const mark = pauseMark(seconds);
      const content = line.content.slice(0, place) + mark + line.content.slice(place);
      store.edit({ type: "text", id: line.id, content }, { id: line.id, at: place + mark.length });
    },
    startOver() {
      store.edit({ type: "replace", script: { title: "", lines: [createLine({ roleId: narrator() })] } });
      setDubbId(null);
      notify({ kind: "info", text: editorCopy.startedOver });
    },
    /** A dub's lines, to go on with. */
    editDub(one: Dub) {
      const { script, speakers } = scriptOf(one);
      know(speakers);
      making.absorb(one);
      store.edit({ type: "replace", script });
      setDubbId(one.dubbId);
      notify({ kind: "info", text: dubbingRecordsCopy.replaced });
      window.scrollTo({ top: 0 });
    },
    async removeDub(one: Dub) {
      if (!(await removeDub(one))) return;
      shelf.drop(one.dubbId);
      making.forget(one.dubbId);
      askPrice();
      if (one.dubbId === dub?.dubbId) setDubbId(null);
    },
    change(one: Dub, act: "cancel" | "retry") {
      making.follow(one);
      void making.change(one.dubbId, act);
    },
  };
}

export type Writing = ReturnType<typeof useWriting>;
