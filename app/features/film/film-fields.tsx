import { type ReactNode, useId, useState } from "react";
import { refusalOf, uploadForm } from "~/call";
import { sentenceFor } from "~/copy/errors";
import { filmCopy as copy } from "~/copy/film";
import { Button, buttonClass } from "~/ui/button";
import { fileInput, Input, RadioGroup } from "~/ui/fields";
import { Icon } from "~/ui/icons/icon";
import type { VideoStyle } from "~server/contract/calls/videos";
import { videoTitleMax } from "~server/contract/limits";
import type { FilmLook, FilmTools } from "./films";

type Notify = FilmTools["notify"];

interface ChoiceProps<Value extends string> {
  label: string;
  names: Record<Value, string>;
  value: Value;
  onChange(value: Value): void;
}

/** One choice under its name. */
export function Choice<Value extends string>({ label, names, value, onChange }: ChoiceProps<Value>) {
  const options = (Object.keys(names) as Value[]).map((one) => ({ value: one, label: names[one] }));
  return (
    <Group label={label}>
      <RadioGroup label={label} onChange={onChange} options={options} value={value} />
    </Group>
  );
}

const Group = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="grid min-w-0 gap-1.5">
    <span aria-hidden className="text-sm font-semibold">
      {label}
    </span>
    {children}
  </div>
);

export interface LookProps {
  look: FilmLook;
  onChange(style: Partial<VideoStyle>): void;
}

/** Own pictures, the title and the cover. */
export function PictureFields({ look, onChange, notify }: LookProps & { notify: Notify }) {
  const id = useId();
  const { style } = look;
  return (
    <>
      <PictureField
        label={copy.fields.picture}
        notify={notify}
        onPick={(picturePath) => onChange({ picturePath })}
        path={style.picturePath}
      />
      <p className="-mt-2 text-xs text-muted">{copy.pictureHint}</p>
      {style.layout === "corner" && (
        <Choice
          label={copy.fields.faceAt}
          names={copy.faceAt}
          onChange={(faceAt) => onChange({ faceAt })}
          value={style.faceAt}
        />
      )}
      <PictureField
        isStill
        label={copy.fields.logo}
        notify={notify}
        onPick={(logoPath) => onChange({ logoPath })}
        path={style.logoPath}
      />
      {style.logoPath && (
        <Choice
          label={copy.fields.logoAt}
          names={copy.corners}
          onChange={(logoAt) => onChange({ logoAt })}
          value={style.logoAt}
        />
      )}
      <Input
        id={`${id}-title`}
        label={copy.fields.title}
        maxLength={videoTitleMax}
        onChange={({ target }) => onChange({ title: target.value })}
        placeholder={copy.titlePlaceholder}
        value={style.title}
      />
      {style.title && <Check label={copy.cover} onChange={(cover) => onChange({ cover })} value={style.cover} />}
    </>
  );
}

interface PictureFieldProps {
  label: string;
  path: string;
  isStill?: boolean;
  onPick(path: string): void;
  notify: Notify;
}

const moving = ["image/gif", "image/webp", "video/mp4", "video/webm", "video/quicktime"];

function PictureField({ label, path, isStill = false, onPick, notify }: PictureFieldProps) {
  const [isSending, setSending] = useState(false);
  const send = async (file: File) => {
    setSending(true);
    const form = new FormData();
    form.append("type", !isStill && moving.includes(file.type) ? "loop" : "picture");
    form.append("file", file, file.name);
    try {
      onPick((await uploadForm("fileUpload", form)).url);
    } catch (error) {
      notify({ kind: "error", text: sentenceFor(refusalOf(error)) });
    }
    setSending(false);
  };
  const accept = `image/jpeg,image/png,image/avif,image/webp${isStill ? "" : `,${moving.join(",")}`}`;
  return (
    <Group label={label}>
      <div className="flex flex-wrap gap-2">
        <label
          className={`${buttonClass()} cursor-pointer focus-within:outline focus-within:outline-2 focus-within:outline-seal`}
        >
          <input
            accept={accept}
            aria-label={label}
            className="sr-only"
            disabled={isSending}
            {...fileInput((file) => void send(file))}
          />
          <Icon className={isSending ? "animate-spin" : ""} name={isSending ? "spinner" : "upload"} size={18} />
          {path ? copy.otherPicture : copy.pickPicture}
        </label>
        {path && (
          <Button kind="quiet" onClick={() => onPick("")}>
            {copy.noPicture}
          </Button>
        )}
      </div>
    </Group>
  );
}

/** One thing to turn on. */
export function Check({ label, value, onChange }: { label: string; value: boolean; onChange(value: boolean): void }) {
  return (
    <label className="flex min-h-[44px] cursor-pointer items-center gap-2.5 text-sm">
      <input checked={value} className="h-5 w-5 accent-seal" onChange={() => onChange(!value)} type="checkbox" />
      {label}
    </label>
  );
}
