import type { ReactNode } from "react";
import { dubbingRecordsCopy, dubGenerationCopy } from "~/copy/dubbing-records";
import { joinClauses } from "~/copy/format";
import { costCopy } from "~/copy/generation";
import { useAccount } from "~/features/account/provider";
import { toMarkRows } from "~/features/player/downloads";
import { useHasCall } from "~/state/capabilities";
import { openMark } from "~/state/dialog-requests";
import { Button, buttonClass } from "~/ui/button";
import { ProgressBar } from "~/ui/feedback";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { Menu } from "~/ui/menu";
import type { MenuItem } from "~/ui/menu-panel";
import type { Dub } from "~server/bff/generations.server";
import type { ScriptExcess } from "~server/contract/length-limits";
import { countFinishedLines, hasMusicOf, isRunning, titleOf, toExportItems } from "./dub";
import { type ScriptStore, useScript } from "./editor/store";
import type { Price } from "./use-generation";

interface FooterProps {
  price: Price;
  /** How the price is said: in lines, or in pages. */
  words?: { cost: PriceWords; progressText(done: number, total: number): string };
  /** The next step when the dub is done, in the place of the export. */
  next?: ReactNode;
  className?: string;
  store: ScriptStore;
  /** The dub of the script, to listen to and to export. */
  dub: Dub | null;
  /** The dub does not contain the lines as they are now. */
  hasChanges: boolean;
  isStarting: boolean;
  isPlaying: boolean;
  onListen(): void;
  onGenerate(): void;
  onCancel(): void;
  /** Saves the script as a text file. */
  onExportScript?: () => void;
}

type PriceWords = { [Name in keyof typeof dubGenerationCopy.cost]: WordsOf<(typeof dubGenerationCopy.cost)[Name]> };
type WordsOf<Value> = Value extends (...values: infer Values) => string ? (...values: Values) => string : string;

/** The price, and the buttons that play, export and generate the script; the next step is the red one. */
export function Footer(props: FooterProps) {
  const { price, words = dubGenerationCopy, next, store, dub, hasChanges, isStarting, isPlaying, ...on } = props;
  const hasLines = price.written > 0;
  const canCancel = useHasCall("taskCancel");
  const music = useScript(store, ({ present }) => present.music);
  const running = dub && isRunning(dub) ? dub : null;
  const finished = dub?.status === 2 ? dub : null;
  const isStale = finished !== null && (hasChanges || price.changed > 0 || !hasMusicOf(finished, { music }));
  const isDone = finished !== null && !isStale;
  const isBusy = isStarting || running !== null;
  return (
    <div className={`rounded-b-card bg-wash px-4 py-3.5 ${props.className ?? ""}`}>
      {running && (
        <div className="mb-1 flex items-center gap-3">
          <div className="flex-1">
            <ProgressBar label={dubGenerationCopy.progress} value={running.progress} />
          </div>
          {canCancel && <Button onClick={on.onCancel}>{dubGenerationCopy.cancel}</Button>}
        </div>
      )}
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-3 md:gap-x-3.5">
        <p className="min-w-0 flex-1 basis-56 text-sm text-muted" role="status">
          {running ? <Progress dub={running} text={words.progressText} /> : <Cost price={price} words={words.cost} />}
        </p>
        <Button className="max-md:px-3" disabled={!hasLines} onClick={on.onListen}>
          {isPlaying
            ? dubGenerationCopy.pauseAll
            : running
              ? dubGenerationCopy.listenDone
              : dubGenerationCopy.listenAll}
        </Button>
        <ExportButton
          dub={finished}
          heading={
            isStale ? dubbingRecordsCopy.exportStale : finished ? titleOf(finished) : dubbingRecordsCopy.exportHint
          }
          kind={isDone && !next ? "primary" : "outline"}
          others={
            on.onExportScript ? [null, { label: dubbingRecordsCopy.exportScript, onSelect: on.onExportScript }] : []
          }
        />
        {isDone && next}
        {/* Stays while the dub is made: a second press must not meet another button in its place. */}
        <Button
          className={isDone ? "max-md:px-3" : "!min-h-[48px] flex-1 !px-6 !text-base md:flex-none"}
          disabled={!hasLines}
          kind={isDone ? "outline" : "primary"}
          onClick={on.onGenerate}
          pending={isBusy}
        >
          {isBusy ? dubGenerationCopy.going : dubGenerationCopy.go}
        </Button>
      </div>
    </div>
  );
}

interface ExportButtonProps {
  dub: Dub | null;
  label?: string;
  kind?: "primary" | "outline";
  heading?: string;
  others?: readonly (MenuItem | null)[];
}

/** The files that a dub can be saved as. */
export function ExportButton({ dub, label, kind, heading, others = [] }: ExportButtonProps) {
  const hasExport = useHasCall("dubExport");
  const hasMarkSetting = useHasCall("audibleMark");
  return (
    <Menu
      aria-label={label}
      className={`${buttonClass({ kind })} max-md:px-3 ${kind === "primary" ? "max-md:flex-1" : ""}`}
      {...(heading && { heading })}
      items={() => [
        ...toExportItems(dub, hasExport),
        ...(dub && hasMarkSetting ? toMarkRows(dub.downloads, openMark) : []),
        ...others,
      ]}
    >
      {dubbingRecordsCopy.exportShort}
      <ToolIcon name="down" size={14} />
    </Menu>
  );
}

function Progress({ dub, text }: { dub: Dub; text(done: number, total: number): string }) {
  return <span className="tabular">{text(countFinishedLines(dub), dub.lines.length)}</span>;
}

function Cost({ price, words }: { price: Price; words: PriceWords }) {
  const { isLogin } = useAccount().account;
  const { text, isShort } = costOf(price, isLogin, words);
  return <span className={`tabular ${isShort ? "text-seal" : ""}`}>{text}</span>;
}

function costOf(price: Price, isLogin: boolean, cost: PriceWords): { text: string; isShort?: true } {
  const { changed, written, characters, total, allowance, excess, isQuoted } = price;
  if (written === 0) return { text: cost.empty };
  if (!isLogin || !allowance) return { text: cost.visitor(total) };
  const { tier, left } = allowance;
  if (excess) return { text: excessText(excess, tier, cost), isShort: true };
  if (changed === 0) return { text: isQuoted ? cost.nothing : cost.all(written) };
  if (tier === null && left !== null) return { text: left > 0 ? costCopy.takesTrial(left - 1) : costCopy.noTrial };
  const part = changed === written ? cost.all(changed) : cost.changed(changed);
  if (left !== null && characters > left)
    return { text: joinClauses(part, costCopy.short(characters, left)), isShort: true };
  const leaves = left === null ? "" : costCopy.leaves(left - characters);
  return { text: joinClauses(part, costCopy.takes(characters), leaves) };
}

function excessText({ line, need, limit }: ScriptExcess, tier: "vip" | "svip" | null, cost: PriceWords) {
  if (line !== null) return cost.overLine(line + 1, need, limit);
  return tier === null ? cost.over(need, limit) : cost.overScript(need, limit);
}
