import { expect, it } from "vitest";
import { createLabel } from "./content";
import { filmLabelRoom } from "./film";
import { labelAudio, readLabels } from "./label";

const box = (type: string | number, ...parts: Array<Buffer | string>) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  if (typeof type === "number") head.writeUInt32BE(type, 4);
  else head.write(type, 4, "latin1");
  return Buffer.concat([head, body]);
};
const count = (value: number) => Buffer.from([0, 0, 0, value]);
const flags = count(0);

function mp4(value: string, { isIso = true } = {}): Buffer {
  const keys = box("keys", flags, count(1), box("mdta", "AIGC"));
  const list = box("ilst", box(1, box("data", count(1), flags, value)));
  const meta = box("meta", isIso ? flags : "", box("hdlr", Buffer.alloc(24)), keys, list);
  return Buffer.concat([box("ftyp", "isom"), box("moov", box("udta", meta)), box("mdat", "pictures")]);
}

function webm(value: string): Buffer {
  const element = (id: string, body: Buffer) =>
    Buffer.concat([Buffer.from(id, "hex"), Buffer.from([0x40 | (body.length >> 8), body.length & 255]), body]);
  const simple = element(
    "67c8",
    Buffer.concat([element("45a3", Buffer.from("AIGC")), element("4487", Buffer.from(value))]),
  );
  const tags = element("1254c367", element("7373", simple));
  return Buffer.concat([element("1a45dfa3", Buffer.from("head")), element("18538067", tags)]);
}

const label = createLabel({ producer: "shengxiang", produceId: "f".repeat(32) });
const films = [
  ["mp4", mp4(filmLabelRoom)],
  ["mp4", mp4(filmLabelRoom, { isIso: false })],
  ["webm", webm(filmLabelRoom)],
] as const;

it.each(films)("writes the label of a film in %s without moving a byte", async (format, film) => {
  const labelled = await labelAudio(film, format, label);
  expect(labelled.length).toBe(film.length);
  expect(await readLabels(labelled)).toEqual([label]);
});

it.each(films)("reads the empty room of a film in %s as a damaged label", async (_format, film) => {
  expect(await readLabels(film)).toEqual(["damaged"]);
});

it.each([mp4("short"), box("ftyp", "isom")])("refuses a film without room for its label", async (film) => {
  await expect(labelAudio(film, "mp4", label)).rejects.toThrow("no room for its label");
});
