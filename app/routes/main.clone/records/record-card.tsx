import { Link } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { cloneRecordsCopy as words } from "~/copy/clone";
import { formatMoment } from "~/copy/format";
import { resultCopy } from "~/copy/generation";
import { Still } from "~/features/portrait/still";
import { SharePanel } from "~/features/share/share-button";
import { useTheme } from "~/features/theme/theme";
import { paths } from "~/paths";
import { useHasCall } from "~/state/capabilities";
import { askForFilm } from "~/state/dialog-requests";
import { Badge, Button, buttonClass } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { Menu } from "~/ui/menu";
import type { CloneRecord } from "~server/bff/generations.server";
import { plainText } from "~server/contract/marks";
import { labelOf, RecordResult } from "./record-result";
import type { RecordAction } from "./use-record-actions";

interface RecordCardProps {
  record: CloneRecord;
  isSelected: boolean;
  /** Made by the latest press: it is marked and comes into sight. */
  isLatest: boolean;
  action: RecordAction | undefined;
  onSelect(isSelected: boolean): void;
  onChange(action: RecordAction): void;
  onCopy(): void;
  onReuse(): void;
  onRemove(): void;
}

/** A generation with voice, time, cost, result and actions. */
export function RecordCard(props: RecordCardProps) {
  const { record, isSelected, isLatest, action, onSelect, onChange, ...menu } = props;
  const label = labelOf(record);
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isLatest) card.current?.scrollIntoView({ block: "nearest" });
  }, [isLatest]);
  const canCancel = useHasCall("taskCancel");
  const canRetry = useHasCall("taskRetry");
  return (
    <li
      className={`scroll-mb-6 max-lg:scroll-mb-60 scroll-mt-20 rounded-card border bg-surface p-3 md:p-4 ${isSelected ? "border-ink" : isLatest ? "border-celadon" : "border-line"}`}
      ref={card}
    >
      <div className="flex items-center gap-2 md:gap-3">
        <label className="-m-2 grid h-11 w-9 shrink-0 cursor-pointer place-items-center md:w-11">
          <input
            aria-label={words.select(label)}
            checked={isSelected}
            className="h-5 w-5 cursor-pointer"
            onChange={(event) => onSelect(event.target.checked)}
            type="checkbox"
          />
        </label>
        <RecordHeader isLatest={isLatest} record={record} />
        <RecordMenu label={label} record={record} {...menu} />
      </div>
      <p className="mt-1.5 line-clamp-3 break-words">{plainText(record.content)}</p>
      <div className="mt-2 flex min-h-[44px] flex-wrap items-center gap-2 max-sm:gap-1.5 max-sm:[&_.btn]:px-3">
        <RecordResult action={action} record={record} />
        {isLatest && record.status === 2 && canBeSaved(record) && (
          <Link className={buttonClass()} to={addressToSave(record)}>
            {words.save}
          </Link>
        )}
        {canCancel && record.status === 1 && record.progress < 1 && (
          <Button onClick={() => onChange("cancel")} pending={action === "cancel"}>
            {words.cancel}
          </Button>
        )}
        {canRetry && record.status === 3 && (
          <Button
            icon={<Icon name="retake" size={18} />}
            onClick={() => onChange("retry")}
            pending={action === "retry"}
          >
            {words.retry}
          </Button>
        )}
      </div>
    </li>
  );
}

function RecordHeader({ record, isLatest }: { record: CloneRecord; isLatest: boolean }) {
  const { name, createdAt, characters } = record;
  const { colorMode } = useTheme();
  const human = { ...record, describe: "" };
  return (
    <>
      <span className="block h-10 w-10 shrink-0 overflow-hidden rounded-full bg-wash">
        {record.roleId ? (
          <Still colorMode={colorMode} detail="face" human={human} />
        ) : (
          <span className="grid h-full place-items-center text-muted">
            <Icon name="mic" size={20} />
          </span>
        )}
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex items-center gap-2">
          <h3 className="truncate font-semibold leading-5" translate="no">
            {name}
          </h3>
          {isLatest && <Badge>{words.latest}</Badge>}
        </div>
        <p className="tabular text-xs text-muted">
          {createdAt && <time dateTime={createdAt}>{formatMoment(createdAt)}</time>}
          {characters > 0 && <span>{`${createdAt && " · "}${words.cost(characters)}`}</span>}
        </p>
      </div>
    </>
  );
}

interface RecordMenuProps {
  record: CloneRecord;
  label: string;
  onCopy(): void;
  onReuse(): void;
  onRemove(): void;
}

/** Only a record made from a recording can become a role. */
const canBeSaved = ({ voicePath, roleId }: CloneRecord) => voicePath !== "" && !roleId;

const addressToSave = ({ voicePath, name }: CloneRecord) => paths.roleNew({ voicePath, name });

/** Less frequent actions. */
function RecordMenu({ record, label, onCopy, onReuse, onRemove }: RecordMenuProps) {
  const { content, taskId, status, timelineUrl } = record;
  const [isSharing, setSharing] = useState(false);
  const isDone = status === 2;
  const canShare = useHasCall("shareCreate") && isDone;
  const canFilm = useHasCall("videoCreate") && isDone && timelineUrl !== "";
  const film = { kind: "clone", id: taskId, title: label, people: [record], text: content } as const;
  return (
    <>
      <Menu
        aria-label={words.more(label)}
        className="grid h-11 w-11 shrink-0 place-items-center rounded-full text-muted transition-colors hover:bg-wash hover:text-ink"
        items={() => [
          ...(canShare ? [{ label: resultCopy.share, onSelect: () => setSharing(true) }] : []),
          ...(canFilm ? [{ label: words.film, onSelect: () => askForFilm(film) }] : []),
          ...(content ? [{ label: words.copy, onSelect: onCopy }] : []),
          { label: words.reuse, onSelect: onReuse },
          ...(canBeSaved(record) ? [{ label: words.save, to: addressToSave(record) }] : []),
          { label: words.remove, onSelect: onRemove, isDanger: true },
        ]}
        title={words.more(label)}
      >
        <ToolIcon name="more" />
      </Menu>
      {isSharing && <SharePanel id={taskId} kind="clone" onClose={() => setSharing(false)} />}
    </>
  );
}
