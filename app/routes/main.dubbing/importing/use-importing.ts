import { useState } from "react";
import { bffPaths } from "~/bff-paths";
import { editorCopy } from "~/copy/dubbing/editor";
import { importCopy } from "~/copy/dubbing/importing";
import type { Speaker } from "~/features/script-editor/line/state";
import { openScriptFile } from "~/features/script-editor/model/open-file";
import { createLine, deliveryOf, isBlank, linesMax, type ScriptLine } from "~/features/script-editor/model/script";
import {
  castLines,
  type Decision,
  matchNames,
  namesOf,
  parseScriptText,
  type RoughLine,
} from "~/features/script-editor/model/speakers";
import { looksLikeSubtitles, parseSubtitles } from "~/features/script-editor/model/subtitles";
import type { ScriptStore } from "~/features/script-editor/store";
import type { Notice } from "~/features/toasts/notify";

interface Options {
  store: ScriptStore;
  speakers: ReadonlyMap<string, Speaker>;
  /** Visitors have no roles of their own to look among. */
  isLoggedIn: boolean;
  onSpeakers(speakers: readonly Speaker[]): void;
  /** Who speaks where nobody is named. */
  narrator(): string;
  tell(notice: Notice): void;
}

/** Where the lines go: behind a line, whose own words up to `from` and from `to` on stay around them. */
interface Spot {
  id: string;
  from: number;
  to: number;
}

interface Asking {
  lines: RoughLine[];
  unknown: string[];
  known: Map<string, string>;
  spot: Spot | null;
  title: string;
}

const namesSought = 30;

/** Pasted and opened scripts on their way into the editor: names are matched with roles, unknown ones asked for once. */
export function useImporting({ store, speakers, isLoggedIn, onSpeakers, narrator, tell }: Options) {
  const [asking, setAsking] = useState<Asking | null>(null);

  const put = (rough: RoughLine[], decisions: Map<string, Decision>, { spot, way, title }: Putting) => {
    const { lines } = store.get();
    const base = lines.find(({ id }) => id === spot?.id);
    const narratorId = base?.roleId || narrator();
    const cast = castLines(rough, decisions, narratorId);
    const fresh = cast.map((line) =>
      createLine({ ...(base && base.roleId === line.roleId ? deliveryOf(base) : {}), ...line }),
    );
    const kept = way === "replace" ? [] : around(lines, fresh, spot);
    const next = way === "replace" ? fresh : kept;
    const tooMany = next.length - linesMax;
    const script = { title: store.get().title || title, lines: next.slice(0, linesMax) };
    const last = fresh[fresh.length - 1];
    store.edit({ type: "replace", script }, last && { id: last.id, at: last.content.length });
    if (tooMany > 0) tell({ kind: "warning", text: editorCopy.tooMany(tooMany) });
    else tell({ kind: "success", text: editorCopy.put(fresh.length) });
  };

  const take = async (lines: RoughLine[], spot: Spot | null, title = "") => {
    const names = namesOf(lines);
    const known = matchNames(names, [...speakers.values()]);
    const missing = names.filter((name) => !known.has(name)).slice(0, namesSought);
    const found = (await Promise.all(missing.map((name) => findByName(name, isLoggedIn)))).flatMap((one) =>
      one ? [one] : [],
    );
    if (found.length > 0) onSpeakers(found);
    for (const [name, roleId] of matchNames(missing, found)) known.set(name, roleId);
    const unknown = names.filter((name) => !known.has(name));
    const isBegun = store.get().lines.some((line) => !isBlank(line));
    if (unknown.length > 0 || (isBegun && !spot)) return setAsking({ lines, unknown, known, spot, title });
    put(lines, decisionsOf(known), { spot, way: isBegun ? "append" : "replace", title });
  };

  return {
    asking: asking && {
      ...asking,
      /** Whether the lines there may give way. */
      canReplace: !asking.spot && store.get().lines.some((line) => !isBlank(line)),
      done(decisions: Map<string, Decision>, way: "replace" | "append") {
        setAsking(null);
        const isBegun = store.get().lines.some((line) => !isBlank(line));
        const all = new Map([...decisionsOf(asking.known), ...decisions]);
        put(asking.lines, all, { spot: asking.spot, title: asking.title, way: isBegun ? way : "replace" });
      },
      cancel: () => setAsking(null),
    },
    takeLines: (lines: RoughLine[]) => void take(lines, null),
    /** Text of several rows pasted into a line; true when it is taken care of. */
    pasteRows(id: string, text: string, from: number, to: number): boolean {
      const lines = looksLikeSubtitles(text) ? parseSubtitles(text) : parseScriptText(text);
      const isScript = lines.length > 1 || lines[0]?.startMs !== undefined;
      if (!isScript) return false;
      void take(lines, { id, from, to });
      return true;
    },
    async openFile(file: File) {
      const opened = await openScriptFile(file);
      if (opened.ok) return take(opened.lines, null, opened.title);
      tell({ kind: "error", text: importCopy.failures[opened.reason] });
    },
  };
}

interface Putting {
  spot: Spot | null;
  way: "replace" | "append";
  title: string;
}

const decisionsOf = (known: ReadonlyMap<string, string>) =>
  new Map<string, Decision>([...known].map(([name, roleId]) => [name, { roleId }]));

/** The script with fresh lines in their spot; empty lines beside them go. */
function around(lines: readonly ScriptLine[], fresh: ScriptLine[], spot: Spot | null): ScriptLine[] {
  const index = spot ? lines.findIndex(({ id }) => id === spot.id) : lines.length - 1;
  const base = lines[index];
  if (!base) return [...lines, ...fresh];
  const before = { ...base, content: base.content.slice(0, spot?.from ?? base.content.length) };
  const behind = createLine({ ...base, id: undefined, content: spot ? base.content.slice(spot.to) : "" });
  const parts = [before, ...fresh, behind].filter((line) => !isBlank(line));
  return [...lines.slice(0, index), ...parts, ...lines.slice(index + 1)];
}

/** A role of exactly that name, of one's own or of the square. */
async function findByName(name: string, isLoggedIn: boolean): Promise<Speaker | null> {
  for (const path of isLoggedIn ? [bffPaths.roles, bffPaths.squareRoles] : [bffPaths.squareRoles]) {
    const response = await fetch(`${path}?${new URLSearchParams({ keyword: name })}`).catch(() => null);
    const answer = (await response?.json().catch(() => null)) as { voices?: Speaker[] } | null;
    const found = answer?.voices?.find((voice) => matchNames([name], [voice]).size > 0);
    if (found) return found;
  }
  return null;
}
