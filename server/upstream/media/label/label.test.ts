import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findMp3Labels, findWavLabels } from "../../../../tests/support/independent-label";
import { speechLike, toPcm } from "../../../../tests/support/sounds";
import { decodeRecording } from "../../../speech/recording/decode";
import { encodeMp3 } from "../../../speech/recording/formats/mp3-encoder";
import { encodeWav } from "../../../speech/recording/formats/wav";
import { createSigningKey, isSignedBy, keyIdOf } from "../../signing";
import { type AigcLabel, createLabel, formatLabel, labelFields, signedTextOf, signLabel } from "./content";
import { labelAudio, readLabels } from "./label";

const pcm = toPcm(speechLike({ seconds: 1 }));
const files = { wav: encodeWav(pcm, 22_050), mp3: await encodeMp3(pcm, 22_050) };
const label = createLabel({ producer: "producer", produceId: "0123456789abcdef" });
const other = createLabel({ producer: "another-producer", produceId: "77" });
const formats = ["wav", "mp3"] as const;

const independent = { wav: findWavLabels, mp3: findMp3Labels };

describe.each(formats)("the label in %s", (format) => {
  test("is found exactly once by an independent parser, with its seven fields", async () => {
    const found = independent[format](await labelAudio(files[format], format, label));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(found[0] as string)).toEqual(label);
    expect(Object.keys(JSON.parse(found[0] as string))).toEqual([...labelFields]);
  });

  test("replaces an existing label instead of adding a second one", async () => {
    let file = files[format] as Uint8Array;
    for (const one of [other, other, label]) file = await labelAudio(file, format, one);
    expect(independent[format](file).map((text) => JSON.parse(text))).toEqual([label]);
    expect(file).toEqual(await labelAudio(files[format], format, label));
  });

  test("leaves the audio unchanged", async () => {
    const before = await decodeRecording(files[format]);
    const after = await decodeRecording(await labelAudio(files[format], format, label));
    expect(after).toEqual(before);
  });

  test("returns any printable ASCII of its fields unchanged", async () => {
    const field = fc.string({
      unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
      maxLength: 60,
    });
    const anyLabel = fc.record(
      Object.fromEntries(labelFields.map((name) => [name, field])) as Record<keyof AigcLabel, typeof field>,
    );
    await fc.assert(
      fc.asyncProperty(anyLabel, async (content) => {
        expect(await readLabels(await labelAudio(files[format], format, content))).toEqual([content]);
      }),
      { numRuns: 60 },
    );
  });

  test("is reported as damaged if it is damaged", async () => {
    const labelled = Buffer.from(await labelAudio(files[format], format, label));
    for (const [from, to] of [
      ["Label", "Lable"],
      ['{"', '["'],
      ['"1"', " 1 "],
      ["producer", "produc\x01r"],
    ] as const) {
      const damaged = Buffer.from(labelled);
      damaged.write(to, damaged.indexOf(from, format === "wav" ? damaged.lastIndexOf("AIGC") : 0), "latin1");
      expect(await readLabels(damaged)).toEqual(["damaged"]);
    }
  });

  test("is null in unlabelled files and in malformed bytes", async () => {
    expect(await readLabels(files[format])).toEqual([]);
    const labelled = await labelAudio(files[format], format, label);
    await fc.assert(
      fc.asyncProperty(fc.nat(labelled.length), fc.nat(255), async (at, byte) => {
        const bytes = labelled.slice(0, labelled.length - (byte % 7));
        bytes[at % 400] = byte;
        expect((await readLabels(bytes)).length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 100 },
    );
  });
});

describe("the signature of a label", () => {
  const key = createSigningKey(Buffer.alloc(32, 7));
  const isSigned = (one: AigcLabel) => isSignedBy(key.publicKey, signedTextOf(one), one.ReservedCode1);
  const field = fc.string({ unit: "grapheme-ascii", maxLength: 40 });
  const anyLabel = fc
    .tuple(...labelFields.map(() => field))
    .map((texts) => Object.fromEntries(labelFields.map((name, i) => [name, texts[i]])) as AigcLabel);

  test("is printable ASCII, names its key, and is the only field that signing changes", () => {
    const signed = signLabel(label, key.sign);
    expect(signed).toEqual({ ...label, ReservedCode1: expect.stringMatching(/^[\x21-\x7e]{111}$/) });
    expect(keyIdOf(signed.ReservedCode1)).toBe(key.id);
    expect(isSigned(signed)).toBe(true);
    expect(() => formatLabel(signed)).not.toThrow();
  });

  test("is wrong after any change of any field, of the key and of itself", () => {
    fc.assert(
      fc.property(anyLabel, fc.constantFrom(...labelFields), field, (content, name, text) => {
        const signed = signLabel(content, key.sign);
        expect(isSigned(signed)).toBe(true);
        fc.pre(signed[name] !== text);
        expect(isSigned({ ...signed, [name]: text })).toBe(false);
        expect(
          isSignedBy(createSigningKey(Buffer.alloc(32, 8)).publicKey, signedTextOf(signed), signed.ReservedCode1),
        ).toBe(false);
      }),
      { numRuns: 100 },
    );
  });

  test("does not confuse text that moves from one field to the next", () => {
    const signed = signLabel({ ...label, ProduceID: 'a"],["b', PropagateID: "c" }, key.sign);
    expect(isSigned({ ...signed, ProduceID: "a", PropagateID: 'b"],["c' })).toBe(false);
  });
});

test("readLabels finds two labels", async () => {
  const tag = (await labelAudio(files.mp3, "mp3", other)).subarray(0, -files.mp3.length);
  expect(await readLabels(Buffer.concat([tag, await labelAudio(files.mp3, "mp3", label)]))).toEqual([other, label]);
  const chunk = (await labelAudio(files.wav, "wav", other)).subarray(files.wav.length);
  expect(await readLabels(Buffer.concat([await labelAudio(files.wav, "wav", label), chunk]))).toEqual([label, other]);
});

test("labelAudio pads a WAV of odd size before its label", async () => {
  const odd = Buffer.concat([files.wav.subarray(0, 44), files.wav.subarray(44, 44 + 999)]);
  odd.writeUInt32LE(999, 40);
  odd.writeUInt32LE(odd.length - 8, 4);
  expect(findWavLabels(await labelAudio(odd, "wav", label))).toHaveLength(1);
});

test("labelAudio refuses formats that cannot contain a label", async () => {
  await expect(labelAudio(files.wav, "mp3", label)).rejects.toThrow();
  await expect(labelAudio(new Uint8Array(100), "wav", label)).rejects.toThrow();
  await expect(labelAudio(files.wav.subarray(0, 1000), "wav", label)).rejects.toThrow();
  expect(() => formatLabel({ ...label, ContentProducer: "\u58f0\u50cf" })).toThrow();
  const { ReservedCode2: _, ...six } = label;
  expect(() => formatLabel(six as AigcLabel)).toThrow();
});
