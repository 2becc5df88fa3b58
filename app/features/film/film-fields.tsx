import { type ReactNode, useId, useState } from "react";
import { callApi, refusalOf, uploadForm } from "~/call";
import { sentenceFor } from "~/copy/errors";
import { filmCopy as copy } from "~/copy/film";
import type { FilmPerson } from "~/dialog-requests";
import { Button, buttonClass } from "~/ui/button";
import { fileInput, Input, RadioGroup, Select } from "~/ui/fields";
import { Icon } from "~/ui/icons/icon";
import type { VideoStyle } from "~server/contract/calls/videos";
import { videoTitleMax } from "~server/contract/limits";
import { type FilmLook, FilmThumbnail } from "./film-preview";
import { type FilmTemplate, type FilmTools, useTemplates } from "./films";

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

interface LookProps {
  look: FilmLook;
  onChange(style: Partial<VideoStyle>): void;
}

/** Words stand on paper in ink, and before pictures in white. */
const lettersOf = ({ layout, picturePath }: Pick<VideoStyle, "layout" | "picturePath">) =>
  layout === "face" || layout === "corner" || picturePath
    ? ({ color: "white", edge: "thin" } as const)
    : ({ color: "ink", edge: "none" } as const);

/** The layouts as pictures of this very film. */
export function LayoutChoice({ look, people, onChange }: LookProps & { people: readonly FilmPerson[] }) {
  const name = useId();
  const { style } = look;
  return (
    <fieldset className="m-0 min-w-0 border-0 p-0">
      <legend className="mb-1.5 p-0 text-sm font-semibold">{copy.fields.layout}</legend>
      <div className="grid grid-cols-4 gap-2">
        {(["face", "corner", "wave", "words"] as const).map((layout) => (
          <label
            className="relative grid cursor-pointer content-between gap-1 rounded border border-line p-1.5 text-center text-xs transition-colors hover:border-edge has-[:checked]:border-seal has-[:checked]:[box-shadow:inset_0_0_0_1px_var(--seal)] has-[:focus-visible]:outline has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-seal"
            key={layout}
          >
            <input
              checked={style.layout === layout}
              className="sr-only"
              name={name}
              onChange={() =>
                onChange({ layout, subtitles: { ...style.subtitles, ...lettersOf({ ...style, layout }) } })
              }
              type="radio"
              value={layout}
            />
            <FilmThumbnail
              look={{
                ...look,
                captions: "burnt",
                style: {
                  ...style,
                  layout,
                  title: "",
                  logoPath: "",
                  subtitles: { ...style.subtitles, ...lettersOf({ ...style, layout }) },
                },
              }}
              people={people.slice(0, 1)}
            />
            {copy.layouts[layout]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Own pictures, the title and the cover. */
export function PictureFields({ look: { style }, onChange, notify }: LookProps & { notify: Notify }) {
  const id = useId();
  const subtitlesOf = (picturePath: string) => ({ ...style.subtitles, ...lettersOf({ ...style, picturePath }) });
  return (
    <>
      <PictureField
        label={copy.fields.picture}
        notify={notify}
        onPick={(picturePath) => onChange({ picturePath, subtitles: subtitlesOf(picturePath) })}
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

function Check({ label, value, onChange }: { label: string; value: boolean; onChange(value: boolean): void }) {
  return (
    <label className="flex min-h-[44px] cursor-pointer items-center gap-2.5 text-sm">
      <input checked={value} className="h-5 w-5 accent-seal" onChange={() => onChange(!value)} type="checkbox" />
      {label}
    </label>
  );
}

/** Where and how the words stand in the picture. */
export function SubtitleFields({ look: { style }, onChange }: LookProps) {
  const { subtitles, layout } = style;
  const change = (part: Partial<VideoStyle["subtitles"]>) => onChange({ subtitles: { ...subtitles, ...part } });
  const names = copy.letters;
  return (
    <details>
      <summary className="flex min-h-[44px] cursor-pointer items-center text-sm font-semibold">
        {copy.fields.subtitles}
      </summary>
      <div className="mt-1 grid gap-4">
        {(layout === "face" || layout === "corner") && (
          <Choice
            label={names.place}
            names={names.places}
            onChange={(place) => change({ place })}
            value={subtitles.place}
          />
        )}
        <Choice label={names.size} names={names.sizes} onChange={(size) => change({ size })} value={subtitles.size} />
        <Choice
          label={names.color}
          names={names.colors}
          onChange={(color) => change({ color })}
          value={subtitles.color}
        />
        <Choice label={names.edge} names={names.edges} onChange={(edge) => change({ edge })} value={subtitles.edge} />
        <Check label={names.karaoke} onChange={(karaoke) => change({ karaoke })} value={subtitles.karaoke} />
      </div>
    </details>
  );
}

interface TemplateProps {
  look: FilmLook;
  onChoose(look: FilmLook): void;
  notify: Notify;
}

/** Saved choices: take one, save these under a name, or forget one. */
export function TemplateFields({ look, onChoose, notify }: TemplateProps) {
  const id = useId();
  const [templates, setTemplates] = useTemplates();
  const [name, setName] = useState("");
  const saved = templates.some((one) => one.name === name.trim());
  const act = async (change: () => Promise<{ list: FilmTemplate[] }>, done: string) => {
    try {
      setTemplates((await change()).list);
      notify({ kind: "success", text: done });
    } catch (error) {
      notify({ kind: "error", text: sentenceFor(refusalOf(error)) });
    }
  };
  const choose = (chosen: string) => {
    setName(chosen);
    const template = templates.find((one) => one.name === chosen);
    if (template) onChoose(template);
  };
  const put = () => callApi("videoTemplatePut", { ...look, name: name.trim() });
  return (
    <Group label={copy.templates.title}>
      {templates.length > 0 && (
        <Select
          aria-label={copy.templates.choose}
          onChange={({ target }) => choose(target.value)}
          value={saved ? name.trim() : ""}
        >
          <option value="">{copy.templates.choose}</option>
          {templates.map((template) => (
            <option key={template.name}>{template.name}</option>
          ))}
        </Select>
      )}
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1">
          <Input
            id={id}
            label={copy.templates.name}
            maxLength={20}
            onChange={({ target }) => setName(target.value)}
            value={name}
          />
        </div>
        <Button disabled={name.trim() === ""} onClick={() => void act(put, copy.templates.saved)}>
          {saved ? copy.templates.replace : copy.templates.save}
        </Button>
        {saved && (
          <Button
            kind="quiet"
            onClick={() =>
              void act(() => callApi("videoTemplateDelete", { name: name.trim() }), copy.templates.removed)
            }
          >
            {copy.templates.remove}
          </Button>
        )}
      </div>
    </Group>
  );
}
