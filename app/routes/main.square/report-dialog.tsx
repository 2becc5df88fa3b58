import { useId, useState } from "react";
import { callApi, type Refusal, refusalOf } from "~/call";
import { sentenceFor } from "~/copy/errors";
import { formatDetail } from "~/copy/format";
import { reportCopy } from "~/copy/square";
import type { SquareHuman } from "~/features/portrait/picture";
import { notify } from "~/features/toasts/notify";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Fault } from "~/ui/feedback";
import { Field } from "~/ui/fields";

interface ReportDialogProps {
  human: SquareHuman;
  onClose(): void;
  onReported(): void;
}

const noteMax = 300;

/** Reports a public role, for visitors too. */
export function ReportDialog({ human, onClose, onReported }: ReportDialogProps) {
  const [reason, setReason] = useState<string>(reportCopy.reasons[0]);
  const [note, setNote] = useState("");
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isPending, setPending] = useState(false);
  const id = useId();

  const send = async () => {
    setPending(true);
    setRefusal(null);
    const detail = note.trim() ? formatDetail(reason, note.trim()) : reason;
    try {
      await callApi("roleReport", { roleId: human.roleId, reason: detail });
      onReported();
    } catch (error) {
      setRefusal(refusalOf(error));
      notify({ kind: "error", text: sentenceFor(refusalOf(error)) });
      setPending(false);
    }
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
      <Fault className="mt-3 text-sm">{refusal && sentenceFor(refusal)}</Fault>
      <div className="mt-5 flex flex-col-reverse gap-3 md:flex-row md:justify-end">
        <Button onClick={onClose}>{reportCopy.cancel}</Button>
        <Button kind="primary" onClick={send} pending={isPending}>
          {reportCopy.go}
        </Button>
      </div>
    </Dialog>
  );
}
