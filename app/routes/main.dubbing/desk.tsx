import { useHasCall } from "~/offer";
import { AddLine } from "./add-line";
import { TabConflict } from "./draft/tab-conflict";
import { Face } from "./editor/face";
import type { OpenPiece } from "./editor/piece-popover";
import { ScriptLines } from "./editor/script-lines";
import { FileDrop } from "./file-drop";
import { Footer } from "./footer";
import { ComingBar } from "./importing/import-bar";
import type { Importing } from "./importing/use-importing";
import { scriptExports } from "./records/export-items";
import type { OpenDialog } from "./studio-dialogs";
import { Toolbar } from "./toolbar";
import type { Workshop } from "./use-dub-session";
import type { Writing } from "./use-editing";
import type { Performing } from "./use-playback";

interface DeskProps {
  workshop: Workshop;
  performing: Performing;
  writing: Writing;
  importing: Importing;
  onDialog(open: OpenDialog): void;
  onPiece(piece: OpenPiece): void;
}

/** Where the script is written, made and heard. */
export function Desk({ workshop, performing, writing, importing, onDialog, onPiece }: DeskProps) {
  const { store, dub, running, kept, price } = workshop;
  const { listening } = performing;
  const hasExport = useHasCall("dubExport");
  const canRetry = useHasCall("taskRetry");
  const openFile = (file: File) => void importing.openFile(file);
  return (
    <div className="min-w-0">
      <Toolbar
        exports={scriptExports(dub, price.changed, hasExport)}
        keeping={kept.keeping}
        onFile={openFile}
        onPaste={() => onDialog({ kind: "paste" })}
        onPause={writing.insertPause}
        onStartOver={writing.startOver}
        store={store}
      />
      {kept.keeping === "conflict" && <TabConflict kept={kept} />}
      <ComingBar opening={importing.opening} search={importing.search} />
      <FileDrop onFile={openFile}>
        <ScriptLines
          along={workshop.along}
          Face={Face}
          onCaret={writing.onCaret}
          onDelivery={(id) => onDialog({ kind: "tone", id })}
          onListen={performing.listenLine}
          onListenFrom={performing.listenFrom}
          onPasteRows={importing.pasteRows}
          onPiece={onPiece}
          onRetry={() => (canRetry && dub?.status === 3 ? writing.change(dub, "retry") : void performing.make())}
          onRole={(id) => onDialog({ kind: "role", id })}
          polyphones={workshop.polyphones}
          say={workshop.say}
          sounding={listening.sounding}
          speakers={workshop.speakers}
          states={workshop.states}
          store={store}
        />
        <AddLine onAdd={writing.addLine} />
        <Footer
          isListening={listening.isListening}
          isLoggedIn={workshop.isLogin}
          isStarting={workshop.making.isStarting}
          onCancel={() => dub && writing.change(dub, "cancel")}
          onListen={performing.listenAll}
          onMake={() => void performing.make()}
          price={price}
          running={running}
        />
      </FileDrop>
    </div>
  );
}
