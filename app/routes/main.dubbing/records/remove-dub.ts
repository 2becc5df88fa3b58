import { editorCopy } from "~/copy/dubbing";
import { dubbingRecordsCopy } from "~/copy/dubbing-records";
import { sentenceFor } from "~/copy/errors";
import { askToConfirm } from "~/features/confirm/confirm";
import { notify } from "~/features/toasts/notify";
import type { Dub } from "~server/bff/generations.server";
import { dubClient, Refused } from "../dub-client";

/** Asks, deletes, and tells; false when it is still there. */
export async function removeDub({ dubbId, title }: Dub): Promise<boolean> {
  const text = dubbingRecordsCopy.removeText(title || editorCopy.untitled);
  if (!(await askToConfirm({ text, confirm: dubbingRecordsCopy.remove }))) return false;
  try {
    await dubClient.remove(dubbId);
    notify({ kind: "success", text: dubbingRecordsCopy.removed });
    return true;
  } catch (error) {
    notify({ kind: "error", text: sentenceFor(error instanceof Refused ? error.refusal : { code: "request-failed" }) });
    return false;
  }
}
