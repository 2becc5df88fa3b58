import { useRef } from "react";
import { editorCopy } from "~/copy/dubbing";
import { dubbingRecordsCopy } from "~/copy/dubbing-records";
import { emphasisCopy, formatPause, pauseSeconds } from "~/copy/generation";
import { useHasCall } from "~/offer";
import { Button, buttonClass, IconButton } from "~/ui/button";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { Menu } from "~/ui/menu";
import type { MenuRows } from "~/ui/menu-panel";
import type { Dub } from "~server/bff/generations.server";
import type { SaveStatus } from "./draft";
import { toExportItems } from "./dub";
import { titleMax } from "./editor/edits";
import { type ScriptStore, useScript } from "./editor/store";
import { acceptedFiles, acceptedSounds } from "./importing/parse-script";

interface ToolbarProps {
  store: ScriptStore;
  saveStatus: SaveStatus;
  /** The dub to export. */
  dub: Dub | null;
  /** Lines that the dub does not contain as they are now. */
  changedLines: number;
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
  const { store, saveStatus, dub, changedLines, onFile, onPaste, onProjects, editing } = props;
  const title = useScript(store, ({ present }) => present.title);
  const canUndo = useScript(store, ({ past }) => past.length > 0);
  const canRedo = useScript(store, ({ future }) => future.length > 0);
  const canTranscribe = useHasCall("transcribe");
  const picker = useRef<HTMLInputElement>(null);
  const statusText = { saved: editorCopy.saved, saving: editorCopy.saving, conflict: editorCopy.notSaved }[saveStatus];
  return (
    <div className="mb-3.5 flex flex-wrap items-center gap-2">
      <h1 className="sr-only">{title || editorCopy.untitled}</h1>
      <div className="flex w-full min-w-0 items-baseline gap-2.5 tight:flex-wrap md:w-auto md:flex-1">
        <input
          aria-label={editorCopy.title}
          className="h-11 min-w-0 max-w-full rounded-sm border-b border-transparent bg-transparent font-song text-xl font-semibold md:text-2xl placeholder:text-muted hover:border-line focus:border-edge focus-visible:outline-none [field-sizing:content] md:min-w-[6em]"
          maxLength={titleMax}
          onChange={(event) => store.edit({ type: "title", title: event.target.value })}
          placeholder={editorCopy.untitled}
          value={title}
        />
        <span
          className={`shrink-0 whitespace-nowrap text-xs ${saveStatus === "conflict" ? "text-seal" : "text-muted"}`}
        >
          {statusText}
        </span>
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
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) onFile(file);
          event.target.value = "";
        }}
        ref={picker}
        tabIndex={-1}
        type="file"
      />
      <ToolMenu
        align="start"
        items={() => [
          { label: editorCopy.paste, onSelect: onPaste },
          { label: editorCopy.openFile, note: ".txt .srt .docx", onSelect: () => picker.current?.click() },
          ...(canTranscribe
            ? [{ label: editorCopy.openSound, note: editorCopy.soundNote, onSelect: () => picker.current?.click() }]
            : []),
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
          pauseSeconds.map((seconds) => ({ label: formatPause(seconds), onSelect: () => editing.insertPause(seconds) }))
        }
        onClosed={(event) => event.preventDefault()}
      >
        {editorCopy.pause}
      </ToolMenu>
      <Button className={toolWidth} onClick={editing.emphasise} title={`${emphasisCopy.hint} (Ctrl+B)`}>
        {emphasisCopy.action}
      </Button>
      <ExportMenu changedLines={changedLines} dub={dub} />
    </div>
  );
}

/** Four tools in a row on a phone of 360 px. */
const toolWidth = "flex-1 max-md:px-2 md:flex-none";

const quietButton = { className: "text-muted hover:bg-wash hover:text-ink disabled:opacity-40" };

function ExportMenu({ dub, changedLines }: Pick<ToolbarProps, "dub" | "changedLines">) {
  const hasExport = useHasCall("dubExport");
  const finished = dub?.status === 2 ? dub : null;
  const title = changedLines > 0 ? dubbingRecordsCopy.exportStale : finished?.title || editorCopy.untitled;
  return (
    <ToolMenu
      heading={finished ? title : dubbingRecordsCopy.exportHint}
      items={() => toExportItems(finished, hasExport)}
    >
      {dubbingRecordsCopy.exportShort}
    </ToolMenu>
  );
}

const ToolMenu = ({ children, ...rows }: MenuRows & { children: string }) => (
  <Menu className={`${buttonClass()} ${toolWidth}`} {...rows}>
    {children}
    <ToolIcon name="down" size={14} />
  </Menu>
);
