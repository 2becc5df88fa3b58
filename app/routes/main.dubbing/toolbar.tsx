import { useEffect, useRef, useState } from "react";
import { editorCopy, importCopy, sceneOfferCopy } from "~/copy/dubbing";
import { joinNames } from "~/copy/format";
import { emphasisCopy, formatPause, pauseSeconds } from "~/copy/generation";
import { notify } from "~/features/toasts/notify";
import { paths } from "~/paths";
import { useHasCall } from "~/state/capabilities";
import { Button, buttonClass, Chip, IconButton } from "~/ui/button";
import { LiveRegion } from "~/ui/feedback";
import { fileInput } from "~/ui/fields";
import { Icon } from "~/ui/icons/icon";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { Menu } from "~/ui/menu";
import type { MenuRows } from "~/ui/menu-panel";
import { type Store, useStore } from "~/ui/store";
import type { SaveStatus } from "./draft";
import { titleMax } from "./editor/edits";
import { type ScriptStore, useScript } from "./editor/store";
import type { Importing } from "./importing/use-importing";
import { acceptedFiles, acceptedSounds } from "./importing/use-importing";

interface ToolbarProps {
  store: ScriptStore;
  saveStatus: Store<SaveStatus>;
  onFile(file: File): void;
  onPaste(): void;
  onProjects(): void;
  editing: ScriptEditing;
}

/** The edits of the toolbar's buttons. */
export interface ScriptEditing {
  /** Inserts at the caret, or where it was last. */
  insertPause(seconds: number): void;
  /** Sets or removes the emphasis of the selection, or of the character before the caret. */
  emphasise(): void;
  startOver(): void;
}

/** The title, the save status, and the actions on the whole script. */
export function Toolbar(props: ToolbarProps) {
  const { store, saveStatus, onFile, onPaste, onProjects, editing } = props;
  const title = useScript(store, ({ present }) => present.title);
  const canUndo = useScript(store, ({ past }) => past.length > 0);
  const canRedo = useScript(store, ({ future }) => future.length > 0);
  const canTranscribe = useHasCall("transcribe");
  const picker = useRef<HTMLInputElement>(null);
  const choose = () => picker.current?.click();
  return (
    <div className="mb-3.5 flex flex-wrap items-center gap-2">
      <h1 className="sr-only">{title || editorCopy.untitled}</h1>
      <div className="flex w-full min-w-0 items-baseline gap-2.5 tight:flex-wrap md:w-auto md:flex-[1_1_21.5rem]">
        <input
          aria-label={editorCopy.title}
          className="h-11 min-w-0 max-w-full rounded-sm border-b border-transparent bg-transparent font-song text-xl font-semibold md:text-2xl placeholder:text-muted hover:border-line focus:border-edge focus-visible:outline-none [field-sizing:content] md:min-w-[5em]"
          maxLength={titleMax}
          onChange={(event) => store.edit({ type: "title", title: event.target.value })}
          placeholder={editorCopy.untitled}
          value={title}
        />
        <SaveStatusText status={saveStatus} />
        <span className="-mr-2 ml-auto flex shrink-0 self-center md:mr-0">
          <IconButton label={editorCopy.projects} {...quietButton} aria-haspopup="dialog" onClick={onProjects}>
            <ToolIcon name="folder" />
          </IconButton>
          <IconButton disabled={!canUndo} label={editorCopy.undo} {...quietButton} onClick={() => store.undo()}>
            <ToolIcon name="undo" />
          </IconButton>
          <IconButton disabled={!canRedo} label={editorCopy.redo} {...quietButton} onClick={() => store.redo()}>
            <ToolIcon name="redo" />
          </IconButton>
        </span>
      </div>
      <input
        accept={canTranscribe ? `${acceptedFiles},${acceptedSounds}` : acceptedFiles}
        aria-label={editorCopy.openFile}
        className="sr-only"
        ref={picker}
        tabIndex={-1}
        {...fileInput(onFile)}
      />
      <div className="flex w-full flex-wrap gap-2 md:w-auto">
        <ToolMenu
          align="start"
          items={() => [
            { label: editorCopy.paste, onSelect: onPaste },
            { label: editorCopy.openFile, note: ".txt .srt .lrc .ass .docx .epub", onSelect: choose },
            ...(canTranscribe ? [{ label: editorCopy.openSound, note: editorCopy.soundNote, onSelect: choose }] : []),
            { label: editorCopy.slides, note: ".pdf .pptx", to: paths.slides },
            null,
            { label: editorCopy.startOver, onSelect: editing.startOver },
          ]}
        >
          {editorCopy.import}
        </ToolMenu>
        <ToolMenu
          align="start"
          heading={editorCopy.pauseHint}
          items={() =>
            pauseSeconds.map((seconds) => ({
              label: formatPause(seconds),
              onSelect: () => editing.insertPause(seconds),
            }))
          }
          onClosed={(event) => event.preventDefault()}
        >
          {editorCopy.pause}
        </ToolMenu>
        <Button className={toolWidth} onClick={editing.emphasise} title={`${emphasisCopy.hint} (Ctrl+B)`}>
          {emphasisCopy.action}
        </Button>
      </div>
    </div>
  );
}

/** Apart, so that the first key after a save renders this text and not the page. */
function SaveStatusText({ status }: { status: Store<SaveStatus> }) {
  const shown = useStore(status);
  const text = { saved: editorCopy.saved, saving: editorCopy.saving, conflict: editorCopy.notSaved }[shown];
  const color = shown === "conflict" ? "text-seal" : "text-muted";
  return <span className={`shrink-0 whitespace-nowrap text-xs ${color}`}>{text}</span>;
}

const toolWidth = "flex-1 max-md:px-2 tight:flex-auto md:flex-none";

const quietButton = { className: "text-muted hover:bg-wash hover:text-ink" };

const ToolMenu = ({ children, ...rows }: MenuRows & { children: string }) => (
  <Menu className={`${buttonClass()} ${toolWidth}`} {...rows}>
    {children}
    <ToolIcon name="down" size={14} />
  </Menu>
);

/** Most searches finish earlier. */
const showAfterMs = 300;
const namesShown = 3;

/** Above the script: the file that is being opened, or the search for roles and the ways to go on. */
export function ImportBar({ openingFile, search }: Pick<Importing, "openingFile" | "search">) {
  const hasFailed = search?.hasFailed ?? false;
  const isWaiting = openingFile !== null || (search !== null && !hasFailed);
  const isDue = useDelayed(isWaiting, showAfterMs);
  const text = openingFile !== null ? openingFile : search ? searchText(search) : "";
  const isRetry = search !== null && search.attempt > 1;
  const isShown = hasFailed || (isWaiting && (isDue || isRetry));
  return (
    <>
      <LiveRegion>{isShown && !hasFailed ? text : ""}</LiveRegion>
      {isShown && (
        <div
          className={`sticky top-16 z-10 mb-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border bg-surface px-4 py-2 md:top-[4.5rem] ${hasFailed ? "border-seal" : "border-line"}`}
        >
          {!hasFailed && <Icon className="shrink-0 animate-spin text-muted" name="spinner" size={18} />}
          <p className="min-w-0 flex-1 basis-40 break-words text-sm" role={hasFailed ? "alert" : undefined}>
            {text}
          </p>
          {search && (
            <div className="ml-auto flex gap-2">
              {(hasFailed || isRetry) && (
                <Button kind="primary" onClick={search.retry} pending={!hasFailed}>
                  {importCopy.again}
                </Button>
              )}
              <Button onClick={search.chooseNow}>{importCopy.chooseNow}</Button>
            </div>
          )}
        </div>
      )}
    </>
  );
}

function searchText({ hasFailed, unknown, lines }: NonNullable<Importing["search"]>) {
  const names = joinNames(unknown.slice(0, namesShown));
  const format = hasFailed ? importCopy.notSought : importCopy.seeking;
  return format({ names, count: unknown.length, lines });
}

/** True once `isActive` has lasted that long. */
export function useDelayed(isActive: boolean, delayMs: number) {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    if (!isActive) return setDue(false);
    const timer = setTimeout(() => setDue(true), delayMs);
    return () => clearTimeout(timer);
  }, [isActive, delayMs]);
  return isDue;
}

interface SceneOfferProps {
  onScene(text: string): void;
}

/** Scripts to begin with, in one press. */
export function SceneOffer({ onScene }: SceneOfferProps) {
  const choose = (name: keyof typeof sceneOfferCopy.scenes) =>
    import("~/copy/dubbing-tools").then(
      ({ scenes }) => onScene(scenes[name].join("\n")),
      () => notify({ kind: "error", text: importCopy.sceneFailed }),
    );
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 border-b border-line px-4 py-3">
      <span className="mr-1 text-sm text-muted">{sceneOfferCopy.heading}</span>
      {Object.entries(sceneOfferCopy.scenes).map(([name, label]) => (
        <Chip key={name} onClick={() => void choose(name as keyof typeof sceneOfferCopy.scenes)}>
          {label}
        </Chip>
      ))}
    </div>
  );
}
