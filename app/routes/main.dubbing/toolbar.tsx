import { type ButtonHTMLAttributes, forwardRef, useRef } from "react";
import { editorCopy } from "~/copy/dubbing";
import { dubbingRecordsCopy } from "~/copy/dubbing-records";
import { formatPause, pauseSeconds } from "~/copy/generation";
import { buttonClass, IconButton } from "~/ui/button";
import type { Keeping } from "./draft/use-draft-sync";
import { Glyph } from "./editor/glyphs";
import { Menu, type MenuItem } from "./editor/menu";
import { type ScriptStore, useScript } from "./editor/store";
import { openableFiles } from "./importing/open-file";

interface ToolbarProps {
  store: ScriptStore;
  keeping: Keeping;
  exports: { items: MenuItem[]; heading: string };
  onFile(file: File): void;
  onPaste(): void;
  onPause(seconds: number): void;
  onStartOver(): void;
}

/** The script's title and what can be done with the whole of it. */
export function Toolbar({ store, keeping, exports, onFile, onPaste, onPause, onStartOver }: ToolbarProps) {
  const title = useScript(store, ({ present }) => present.title);
  const canUndo = useScript(store, ({ past }) => past.length > 0);
  const canRedo = useScript(store, ({ future }) => future.length > 0);
  const picker = useRef<HTMLInputElement>(null);
  const note = { saved: editorCopy.saved, saving: editorCopy.saving, conflict: editorCopy.notSaved }[keeping];
  return (
    <div className="mb-3.5 flex flex-wrap items-center gap-2">
      <h1 className="sr-only">{title || editorCopy.untitled}</h1>
      <div className="flex w-full min-w-0 items-baseline gap-2.5 tight:flex-wrap md:w-auto md:flex-1">
        <input
          aria-label={editorCopy.title}
          className="h-11 min-w-0 max-w-full rounded-sm border-b border-transparent bg-transparent font-song text-xl font-semibold md:text-2xl placeholder:text-muted hover:border-line focus:border-edge focus-visible:outline-none [field-sizing:content] md:min-w-[6em]"
          maxLength={100}
          onChange={(event) => store.edit({ type: "title", title: event.target.value })}
          placeholder={editorCopy.untitled}
          value={title}
        />
        <span className={`shrink-0 whitespace-nowrap text-xs ${keeping === "conflict" ? "text-seal" : "text-muted"}`}>
          {note}
        </span>
        <span className="-mr-2 ml-auto flex shrink-0 self-center md:mr-0">
          <IconButton disabled={!canUndo} label={editorCopy.undo} {...quiet} onClick={() => store.undo()}>
            <Glyph name="undo" />
          </IconButton>
          <IconButton disabled={!canRedo} label={editorCopy.redo} {...quiet} onClick={() => store.redo()}>
            <Glyph name="redo" />
          </IconButton>
        </span>
      </div>
      <input
        accept={openableFiles}
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
      <Menu
        align="start"
        items={[
          { label: editorCopy.paste, onSelect: onPaste },
          { label: editorCopy.openFile, note: ".txt .srt .docx", onSelect: () => picker.current?.click() },
          null,
          { label: editorCopy.startOver, onSelect: onStartOver },
        ]}
        trigger={<Tool>{editorCopy.import}</Tool>}
      />
      <Menu
        align="start"
        heading={editorCopy.pauseHint}
        items={pauseSeconds.map((seconds) => ({ label: formatPause(seconds), onSelect: () => onPause(seconds) }))}
        onClosed={(event) => event.preventDefault()}
        trigger={<Tool>{editorCopy.pause}</Tool>}
      />
      <Menu heading={exports.heading} items={exports.items} trigger={<Tool>{dubbingRecordsCopy.exportShort}</Tool>} />
    </div>
  );
}

const quiet = { className: "text-muted hover:bg-wash hover:text-ink disabled:opacity-40" };

/** Radix hands it its own properties, and a ref to stand beside. */
const Tool = forwardRef<HTMLButtonElement, ButtonHTMLAttributes<HTMLButtonElement>>(({ children, ...rest }, ref) => (
  <button className={`${buttonClass()} flex-1 md:flex-none`} ref={ref} type="button" {...rest}>
    {children}
    <Glyph name="down" size={14} />
  </button>
));
