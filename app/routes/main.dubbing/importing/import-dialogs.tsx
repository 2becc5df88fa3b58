import { type ReactNode, useState } from "react";
import { importDialogCopy } from "~/copy/dubbing-dialogs";

import { useAccount } from "~/features/account/provider";
import { usePastedText } from "~/features/pasted/pasted-text";
import { useHasCall } from "~/state/capabilities";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Field, RadioGroup, Select } from "~/ui/fields";
import type { Speaker } from "../editor/script";
import { hasDirections, hasTimes, type ImportMode, type NameDecision, nameless } from "./pending-import";
import type { Importing } from "./use-importing";
import { rememberedCast } from "./use-pending-imports";

interface PasteDialogProps {
  onText(text: string): void;
  onClose(): void;
}

/** Takes a whole script as text. */
export function PasteDialog({ onText, onClose }: PasteDialogProps) {
  const [text, setText] = useState("");
  const { onPaste, note } = usePastedText(text, setText);
  return (
    <Dialog
      closeLabel={importDialogCopy.close}
      description={importDialogCopy.pasteHint}
      onClose={onClose}
      title={importDialogCopy.pasteTitle}
    >
      <div className="mt-4">
        <Field
          className="min-h-[220px]"
          id="pasted-script"
          label={importDialogCopy.pasteLabel}
          onChange={(event) => setText(event.target.value)}
          onPaste={onPaste}
          placeholder={importDialogCopy.pastePlaceholder}
          value={text}
        />
        {note}
      </div>
      <Button className="mt-4 w-full" disabled={text.trim() === ""} kind="primary" onClick={() => onText(text)}>
        {importDialogCopy.put}
      </Button>
    </Dialog>
  );
}

const previewOf = (text: string) =>
  text
    .slice(0, 400)
    .replace(/\s*\n\s*/g, "\n")
    .trim();

/** Asks in which encoding a file is written, by how its first lines read. */
export function EncodingDialog({ question }: { question: NonNullable<Importing["encodingQuestion"]> }) {
  const { file, choices, choose, cancel } = question;
  const words = importDialogCopy.encoding;
  return (
    <Dialog
      closeLabel={importDialogCopy.close}
      description={words.hint(file.name)}
      onClose={cancel}
      title={words.title}
    >
      <ul className="mt-4 grid gap-2">
        {choices.map(({ encoding, text }) => (
          <li key={encoding}>
            <button
              className="block min-h-[44px] w-full rounded border border-edge px-3.5 py-2 text-left transition-colors hover:bg-wash"
              onClick={() => choose(encoding)}
              type="button"
            >
              <span className="block text-sm font-semibold">{words.names[encoding]}</span>
              <span className="line-clamp-3 whitespace-pre-line break-all text-sm text-muted">{previewOf(text)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

interface MappingDialogProps {
  question: NonNullable<Importing["question"]>;
  speakers: readonly Speaker[];
  defaultRoleId: string;
}

const asText = "as-words";

/** Asks for the roles of unknown names, how the lines are read, and whether to replace or extend the script. */
export function MappingDialog({ question, speakers, defaultRoleId }: MappingDialogProps) {
  const { lines, names: unknown, asksRole, canReplace, confirm, cancel } = question;
  const names = asksRole ? [...unknown, nameless] : unknown;
  const [earlier] = useState(rememberedCast);
  const [chosen, setChosen] = useState<Record<string, string>>(() => ({
    ...suggestRoles(unknown, speakers, defaultRoleId, new Set(lines.map(({ name }) => name))),
    ...Object.fromEntries(unknown.flatMap((name) => (earlier[name] ? [[name, earlier[name].roleId]] : []))),
    [nameless]: defaultRoleId,
  }));
  const [keepsTimes, setKeepsTimes] = useState(true);
  const [readsMoods, setReadsMoods] = useState(true);
  const { isSvip } = useAccount().account;
  // An upstream that exports no subtitles does not know of times either.
  const canKeep = useHasCall("dubExport");
  const done = (mode: ImportMode) => {
    const decisions = names.map((name): [string, NameDecision] => {
      const choice = chosen[name] ?? defaultRoleId;
      return [name, choice === asText ? "text" : { roleId: choice }];
    });
    const directions = readsMoods ? (isSvip ? "tone" : "left-out") : "spoken";
    confirm({ decisions: new Map(decisions), mode, reading: { keepsTimes: keepsTimes && canKeep, directions } });
  };
  return (
    <Dialog
      closeLabel={importDialogCopy.close}
      description={unknown.length > 0 ? importDialogCopy.mapHint : undefined}
      onClose={cancel}
      title={names.length > 0 ? importDialogCopy.mapTitle : importDialogCopy.where}
    >
      <ul className="mt-4 grid gap-2">
        {names.map((name) => (
          <Row
            count={lines.filter((line) => (line.name ?? nameless) === name).length}
            key={name}
            name={name || importDialogCopy.mapNarrator}
          >
            <Select
              aria-label={name || importDialogCopy.mapNarrator}
              onChange={(event) => setChosen((now) => ({ ...now, [name]: event.target.value }))}
              value={chosen[name]}
            >
              {speakers.map(({ roleId, name: label }) => (
                <option key={roleId} value={roleId}>
                  {label}
                </option>
              ))}
              {name !== nameless && <option value={asText}>{importDialogCopy.asWords}</option>}
            </Select>
          </Row>
        ))}
      </ul>
      {hasTimes(lines) && <TimingChoice canKeep={canKeep} keepsTimes={keepsTimes} onChange={setKeepsTimes} />}
      {hasDirections(lines) && (
        <div className="mt-3 text-sm">
          <label className="flex min-h-[44px] cursor-pointer items-center gap-2.5">
            <input
              checked={readsMoods}
              className="h-4 w-4 shrink-0"
              onChange={({ target }) => setReadsMoods(target.checked)}
              type="checkbox"
            />
            {importDialogCopy.moods}
          </label>
          {!isSvip && readsMoods && <p className="text-xs text-muted">{importDialogCopy.moodsLocked}</p>}
        </div>
      )}
      <div className="mt-5 flex flex-col gap-2.5 md:flex-row-reverse">
        <Button className="flex-1" kind="primary" onClick={() => done("append")}>
          {canReplace ? importDialogCopy.append : importDialogCopy.put}
        </Button>
        {canReplace && (
          <Button className="flex-1" onClick={() => done("replace")}>
            {importDialogCopy.replace}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

interface TimingChoiceProps {
  canKeep: boolean;
  keepsTimes: boolean;
  onChange(keepsTimes: boolean): void;
}

function TimingChoice({ canKeep, keepsTimes, onChange }: TimingChoiceProps) {
  const { label, timed, natural, notes } = importDialogCopy.timing;
  if (!canKeep) return <p className="mt-4 text-sm text-muted">{notes.none}</p>;
  return (
    <div className="mt-4">
      <RadioGroup
        label={label}
        onChange={(value) => onChange(value === "timed")}
        options={[
          { value: "timed", label: timed },
          { value: "natural", label: natural },
        ]}
        value={keepsTimes ? "timed" : "natural"}
      />
      <p className="mt-2 text-xs text-muted">{keepsTimes ? notes.timed : notes.natural}</p>
    </div>
  );
}

function Row({ name, count, children }: { name: string; count: number; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_minmax(0,1.3fr)] items-center gap-3">
      <span className="min-w-0">
        <span className="block truncate font-semibold">{name}</span>
        <span className="block text-xs text-muted">{importDialogCopy.lines(count)}</span>
      </span>
      {children}
    </li>
  );
}

/** Suggests a different role for each name, as far as there are enough; first those that are not named themselves. */
function suggestRoles(names: readonly string[], speakers: readonly Speaker[], defaultId: string, named: Set<unknown>) {
  const others = speakers.filter(({ roleId }) => roleId !== defaultId);
  const free = others.filter(({ name }) => !named.has(name));
  const offered = free.length > 0 ? free : others;
  const roleAt = (index: number) => offered[index % Math.max(offered.length, 1)]?.roleId ?? defaultId;
  return Object.fromEntries(names.map((name, index) => [name, roleAt(index)]));
}
