import { useState } from "react";
import { importCopy } from "~/copy/dubbing";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Field } from "~/ui/field";
import { parseScriptText, type RoughLine } from "./parse-script";
import { looksLikeSubtitles, parseSubtitles } from "./subtitles";

interface PasteDialogProps {
  onLines(lines: RoughLine[]): void;
  onClose(): void;
}

/** A place to paste a whole script. */
export function PasteDialog({ onLines, onClose }: PasteDialogProps) {
  const [text, setText] = useState("");
  const put = () => onLines(looksLikeSubtitles(text) ? parseSubtitles(text) : parseScriptText(text));
  return (
    <Dialog
      closeLabel={importCopy.close}
      description={importCopy.pasteHint}
      onClose={onClose}
      title={importCopy.pasteTitle}
    >
      <div className="mt-4">
        <Field
          className="min-h-[220px]"
          id="pasted-script"
          label={importCopy.pasteLabel}
          onChange={(event) => setText(event.target.value)}
          placeholder={importCopy.pastePlaceholder}
          value={text}
        />
      </div>
      <Button className="mt-4 w-full" disabled={text.trim() === ""} kind="primary" onClick={put}>
        {importCopy.put}
      </Button>
    </Dialog>
  );
}
