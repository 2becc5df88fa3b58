import { useState } from "react";
import { resultCopy } from "~/copy/generation";
import { playerCopy } from "~/copy/site";
import { worksCopy as words } from "~/copy/works";
import { toDownloadItem, toMarkRows } from "~/features/player/downloads";
import { SharePanel } from "~/features/share/share-button";
import { notify } from "~/features/toasts/notify";
import { useHasCall } from "~/state/capabilities";
import { askForFilm, openMark } from "~/state/dialog-requests";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { Menu } from "~/ui/menu";
import type { MenuItem } from "~/ui/menu-panel";
import { plainText } from "~server/contract/marks";
import type { Work } from "./filter";
import type { Works } from "./use-works";
import { addressOf, exportsOf, filesOf } from "./work";

interface WorkMenuProps extends Pick<Works, "remove"> {
  work: Work;
  title: string;
  isDone: boolean;
}

/** Less frequent actions: where it was made, its other files, its public page and its deletion. */
export function WorkMenu({ work, title, isDone, remove }: WorkMenuProps) {
  const [isSharing, setSharing] = useState(false);
  const { kind, taskId, timelineUrl, content, people, source } = work;
  const has = {
    share: useHasCall("shareCreate") && isDone,
    film: useHasCall("videoCreate") && isDone && kind !== "video" && timelineUrl !== "",
    exports: useHasCall("dubExport") && isDone && kind === "dub",
    mark: useHasCall("audibleMark"),
    projects: useHasCall("projectGet"),
  };
  const film = { title, people, text: plainText(content) };
  const open: MenuItem[] = source
    ? [{ label: words.open.video, onSelect: () => askForFilm({ ...film, ...source }) }]
    : kind === "clone"
      ? [{ label: words.open.clone, to: addressOf.clone(taskId) }]
      : has.projects
        ? [{ label: words.open.dub, to: addressOf.dub(taskId) }]
        : [];
  const preparing = (format: string) => () => notify({ kind: "info", text: playerCopy.preparing(format) });
  const [, ...others] = isDone ? filesOf(work) : [];
  const files = others.map((file) => {
    const format = file.format.toUpperCase();
    return toDownloadItem(file, words.downloadAs(format), preparing(format));
  });
  return (
    <>
      <Menu
        aria-label={words.menu(title)}
        className="icon-button quiet"
        items={() => [
          ...open,
          ...(has.share ? [{ label: resultCopy.share, onSelect: () => setSharing(true) }] : []),
          ...(has.film && kind !== "video"
            ? [{ label: words.film, onSelect: () => askForFilm({ ...film, kind, id: taskId }) }]
            : []),
          null,
          ...files,
          ...(has.exports ? exportsOf(work) : []),
          ...(isDone && has.mark ? toMarkRows(filesOf(work), openMark) : []),
          null,
          { label: words.remove, isDanger: true, onSelect: () => void remove(work) },
        ]}
        title={words.menu(title)}
      >
        <ToolIcon name="more" />
      </Menu>
      {isSharing && <SharePanel id={taskId} kind={kind} onClose={() => setSharing(false)} />}
    </>
  );
}
