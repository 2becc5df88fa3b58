import { cloneRecordsCopy as words } from "~/copy/clone";
import { Picture } from "~/features/portrait/picture";
import { useTheme } from "~/features/theme/theme";
import { useHasCall } from "~/offer";
import { Button } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import type { CloneRecord } from "~server/bff/generations.server";
import { plainText } from "./file-name";
import { RecordMenu } from "./record-menu";
import { RecordState } from "./record-state";
import { Sound } from "./sound";
import type { Acting } from "./use-record-actions";

interface RecordCardProps {
  record: CloneRecord;
  isSelected: boolean;
  acting: Acting | undefined;
  onSelect(isSelected: boolean): void;
  onCancel(): void;
  onRetry(): void;
  onCopy(): void;
  onReuse(): void;
  onRemove(): void;
}

const labelLength = 12;

/** One text that was spoken: who, when, what it took, how it stands, and what can be done with it. */
export function RecordCard(props: RecordCardProps) {
  const { record, isSelected, acting, onSelect, onCancel, onRetry, ...menu } = props;
  const text = plainText(record.content);
  const label = [...text].slice(0, labelLength).join("");
  const canCancel = useHasCall("taskCancel");
  const canRetry = useHasCall("taskRetry");
  return (
    <li className={`rounded-card border bg-surface p-3 md:p-4 ${isSelected ? "border-ink" : "border-line"}`}>
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
        <Who record={record} />
        <RecordMenu label={label} record={record} {...menu} />
      </div>
      <p className="mt-1.5 line-clamp-3 break-words">{text}</p>
      <div className="mt-2 flex min-h-[44px] flex-wrap items-center gap-2">
        {record.status === 2 ? (
          <Sound label={label} record={record} />
        ) : (
          <>
            <RecordState acting={acting} label={label} record={record} />
            {canCancel && record.status === 1 && record.progress < 1 && (
              <Button onClick={onCancel} pending={acting === "cancel"}>
                {words.cancel}
              </Button>
            )}
            {canRetry && record.status === 3 && (
              <Button onClick={onRetry} pending={acting === "retry"}>
                <Icon name="retake" size={18} />
                {words.retry}
              </Button>
            )}
          </>
        )}
      </div>
    </li>
  );
}

function Who({ record }: { record: CloneRecord }) {
  const { name, createdAt, characters } = record;
  const { colorMode } = useTheme();
  const human = { ...record, describe: "" };
  return (
    <>
      <span className="block h-10 w-10 shrink-0 overflow-hidden rounded-full bg-wash">
        {record.roleId ? (
          <Picture colorMode={colorMode} human={human} />
        ) : (
          <span className="grid h-full place-items-center text-muted">
            <Icon name="mic" size={20} />
          </span>
        )}
      </span>
      <div className="min-w-0 flex-1">
        <h3 className="truncate font-semibold leading-5">{name}</h3>
        <p className="tabular truncate text-xs text-muted">
          <time dateTime={createdAt}>{createdAt.slice(5, 16).replace("T", " ")}</time>
          {characters > 0 && ` · ${words.cost(characters)}`}
        </p>
      </div>
    </>
  );
}
