import { useId, useState } from "react";
import { bffPaths } from "~/bff-paths";
import { sentenceFor } from "~/copy/errors";
import { formatDetail } from "~/copy/format";
import { reportCopy } from "~/copy/square";
import { notify } from "~/features/toasts/notify";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Field } from "~/ui/field";
import type { Refusal } from "~server/bff/refusal.server";
import type { SquareHuman } from "~server/bff/roles.server";

interface ReportDialogProps {
  human: SquareHuman;
  onClose(): void;
  onReported(): void;
}

const noteMax = 300;

/** Why somebody should not be on the square; open to visitors too. */
export function ReportDialog({ human, onClose, onReported }: ReportDialogProps) {
  const [reason, setReason] = useState<string>(reportCopy.reasons[0]);
  const [note, setNote] = useState("");
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isPending, setPending] = useState(false);
  const id = useId();

  const send = async () => {
    setPending(true);
    setRefusal(null);
    const refused = await report(human.roleId, note.trim() ? formatDetail(reason, note.trim()) : reason);
    setPending(false);
    if (!refused) return onReported();
    setRefusal(refused);
    notify({ kind: "error", text: sentenceFor(refused) });
  };

  return (
    <Dialog
      closeLabel={reportCopy.cancel}
      description={reportCopy.sentence}
      onClose={onClose}
      title={reportCopy.title(human.name)}
    >
      <fieldset className="m-0 mt-4 min-w-0 border-0 p-0">
        <legend className="text-sm font-semibold">{reportCopy.label}</legend>
        {reportCopy.reasons.map((one) => (
          <label className="flex min-h-[44px] cursor-pointer items-center gap-3" key={one}>
            <input
              checked={one === reason}
              className="h-5 w-5 shrink-0"
              name={`${id}-reason`}
              onChange={() => setReason(one)}
              type="radio"
              value={one}
            />
            {one}
          </label>
        ))}
      </fieldset>
      <div className="mt-2">
        <Field
          id={`${id}-note`}
          label={reportCopy.note}
          maxLength={noteMax}
          onChange={(event) => setNote(event.target.value)}
          placeholder={reportCopy.note}
          rows={2}
          value={note}
        />
      </div>
      {refusal && (
        <p className="mt-3 text-sm text-seal" role="alert">
          {sentenceFor(refusal)}
        </p>
      )}
      <div className="mt-5 flex flex-col-reverse gap-3 md:flex-row md:justify-end">
        <Button onClick={onClose}>{reportCopy.cancel}</Button>
        <Button kind="primary" onClick={send} pending={isPending}>
          {reportCopy.go}
        </Button>
      </div>
    </Dialog>
  );
}

/** Null when it was taken. */
async function report(roleId: string, reason: string): Promise<Refusal | null> {
  const response = await fetch(bffPaths.reports, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ roleId, reason }),
  }).catch(() => null);
  if (!response) return { code: "network" };
  if (response.ok) return null;
  const body = (await response.json().catch(() => null)) as { refusal?: Refusal } | null;
  return body?.refusal ?? { code: "request-failed" };
}
