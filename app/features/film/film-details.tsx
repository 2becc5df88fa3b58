import { useId, useState } from "react";
import { callApi, refusalOf } from "~/call";
import { sentenceFor } from "~/copy/errors";
import { filmCopy as copy } from "~/copy/film";
import { Button } from "~/ui/button";
import { Input, Select } from "~/ui/fields";
import type { VideoStyle } from "~server/contract/calls/videos";
import { Check, Choice, type LookProps } from "./film-fields";
import { type FilmLook, type FilmTemplate, type FilmTools, useTemplates } from "./films";

/** Where and how the words stand in the picture. */
export function SubtitleFields({ look: { style }, onChange }: LookProps) {
  const { subtitles, layout } = style;
  const change = (part: Partial<VideoStyle["subtitles"]>) => onChange({ subtitles: { ...subtitles, ...part } });
  const names = copy.letters;
  return (
    <details>
      <summary className="cursor-pointer py-3 text-sm font-semibold">{copy.fields.subtitles}</summary>
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
  notify: FilmTools["notify"];
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
    <details>
      <summary className="cursor-pointer py-3 text-sm font-semibold">{copy.templates.title}</summary>
      <div className="mt-1 grid gap-3">
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
      </div>
    </details>
  );
}
