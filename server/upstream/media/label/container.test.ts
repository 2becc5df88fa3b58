import { expect, it } from "vitest";
import { labelRoom } from "./container";
import { createLabel } from "./content";
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
const little = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const comment = (text: string) => Buffer.concat([little(text.length), Buffer.from(text)]);
const block = (type: number, body: Buffer) =>
  Buffer.concat([Buffer.from([type, 0, body.length >> 8, body.length & 255]), body]);

/** `name`: comments are named in any case. */
function flac(value: string, name = "AIGC"): Buffer {
  const comments = Buffer.concat([
    comment("reference libFLAC"),
    little(2),
    comment("TITLE=a"),
    comment(`${name}=${value}`),
  ]);
  const blocks = [block(0, Buffer.alloc(34)), block(4, comments), block(0x81, Buffer.alloc(20))];
  return Buffer.concat([Buffer.from("fLaC"), ...blocks, Buffer.from("frames")]);
}

const files = [
  ["mp4", mp4(labelRoom)],
  ["mp4", mp4(labelRoom, { isIso: false })],
  ["webm", webm(labelRoom)],
  ["m4a", mp4(labelRoom)],
  ["flac", flac(labelRoom)],
  ["flac", flac(labelRoom, "aigc")],
] as const;

it.each(files)("writes the label of a file in %s without moving a byte", async (format, film) => {
  const labelled = await labelAudio(film, format, label);
  expect(labelled.length).toBe(film.length);
  expect(await readLabels(labelled)).toEqual([label]);
});

it.each(files)("reads the empty room of a file in %s as a damaged label", async (_format, film) => {
  expect(await readLabels(film)).toEqual(["damaged"]);
});

it.each([
  ["mp4", mp4("short")],
  ["mp4", box("ftyp", "isom")],
  ["flac", flac("short")],
  ["flac", Buffer.concat([flac(labelRoom).subarray(0, 42), block(0x84, Buffer.from("ffffffff", "hex"))])],
] as const)("refuses a file in %s without room for its label", async (format, film) => {
  await expect(labelAudio(film, format, label)).rejects.toThrow("no room for its label");
});

it("reads no label from a FLAC file that ends within it", async () => {
  const whole = flac(JSON.stringify(label));
  expect(await readLabels(whole)).toEqual([label]);
  for (let end = 4; end <= whole.indexOf("}"); end += 3)
    expect((await readLabels(whole.subarray(0, end))).filter((one) => one !== "damaged")).toEqual([]);
});
