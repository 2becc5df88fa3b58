import { confirmCopy } from "~/copy/site";
import { useQuestion } from "~/state/dialog-requests";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";

/** The generic question. `lazy` requires a default export. */
export default function ConfirmDialog() {
  const question = useQuestion();
  if (!question) return null;
  const { title, text, confirm, cancel, answer } = { ...confirmCopy, ...question };
  return (
    <Dialog closeLabel={cancel} description={text} isAlert onClose={() => answer(false)} title={title}>
      <div className="mt-6 flex flex-col-reverse gap-3 md:flex-row md:justify-end">
        <Button onClick={() => answer(false)}>{cancel}</Button>
        <Button kind="primary" onClick={() => answer(true)}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
