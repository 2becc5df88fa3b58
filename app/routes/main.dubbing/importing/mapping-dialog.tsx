import { type ReactNode, useState } from "react";
import { importCopy } from "~/copy/dubbing";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Select } from "~/ui/select";
import type { Speaker } from "../editor/state";
import type { Decision, RoughLine } from "./parse-script";

interface MappingDialogProps {
  lines: readonly RoughLine[];
  /** Names no role has. */
  names: readonly string[];
  speakers: readonly Speaker[];
  /** Who speaks where nobody chooses. */
  otherwise: string;
  /** Whether there is a script that could be replaced. */
  canReplace: boolean;
  onDone(decisions: Map<string, Decision>, way: "replace" | "append"): void;
  onClose(): void;
}

const asWords = "as-words";

/** Asks once who speaks the names nobody in the library has, and where the lines go. */
export function MappingDialog({ lines, names, speakers, otherwise, canReplace, onDone, onClose }: MappingDialogProps) {
  const [chosen, setChosen] = useState<Record<string, string>>(() => guess(names, speakers, otherwise));
  const done = (way: "replace" | "append") => {
    const decisions = names.map((name): [string, Decision] => {
      const choice = chosen[name] ?? otherwise;
      return [name, choice === asWords ? "words" : { roleId: choice }];
    });
    onDone(new Map(decisions), way);
  };
  return (
    <Dialog
      closeLabel={importCopy.close}
      description={names.length > 0 ? importCopy.mapHint : undefined}
      onClose={onClose}
      title={names.length > 0 ? importCopy.mapTitle : importCopy.where}
    >
      <ul className="mt-4 grid gap-2">
        {names.map((name) => (
          <Row count={lines.filter((line) => line.name === name).length} key={name} name={name}>
            <Select
              aria-label={name}
              onChange={(event) => setChosen((now) => ({ ...now, [name]: event.target.value }))}
              value={chosen[name]}
            >
              {speakers.map(({ roleId, name: label }) => (
                <option key={roleId} value={roleId}>
                  {label}
                </option>
              ))}
              <option value={asWords}>{importCopy.asWords}</option>
            </Select>
          </Row>
        ))}
      </ul>
      <div className="mt-5 flex flex-col gap-2.5 md:flex-row-reverse">
        <Button className="flex-1" kind="primary" onClick={() => done("append")}>
          {canReplace ? importCopy.append : importCopy.put}
        </Button>
        {canReplace && (
          <Button className="flex-1" onClick={() => done("replace")}>
            {importCopy.replace}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function Row({ name, count, children }: { name: string; count: number; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_minmax(0,1.3fr)] items-center gap-3">
      <span className="min-w-0">
        <span className="block truncate font-semibold">{name}</span>
        <span className="block text-xs text-muted">{importCopy.lines(count)}</span>
      </span>
      {children}
    </li>
  );
}

/** Different names begin with different voices, as far as there are any. */
function guess(names: readonly string[], speakers: readonly Speaker[], otherwise: string): Record<string, string> {
  const others = speakers.filter(({ roleId }) => roleId !== otherwise);
  return Object.fromEntries(
    names.map((name, index) => [name, others[index % Math.max(others.length, 1)]?.roleId ?? otherwise]),
  );
}
