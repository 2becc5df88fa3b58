import { expect, test } from "vitest";
import { playerCopy } from "~/copy/site";
import { paths } from "~/paths";
import { noteOf, toDownloads, toMarkRows } from "./downloads";

const nameFor = (format: string) => `句子.${format}`;

test("toDownloads offers every format that the upstream provides", () => {
  const downloads = [
    { format: "mp3", url: "/files/1.mp3" },
    { format: "wav", url: "/files/1.wav" },
  ];
  expect(toDownloads({ voiceUrl: "/files/0.mp3", downloads }, nameFor)).toEqual([
    { format: "mp3", url: paths.media("/files/1.mp3", "句子.mp3") },
    { format: "wav", url: paths.media("/files/1.wav", "句子.wav") },
  ]);
});

test.each([
  ["/files/0.wav", "wav"],
  ["https://cdn.example.com/a/b.M4A?token=1", "m4a"],
  ["/files/0", "mp3"],
])("the audio file at %s is offered as %s if the upstream has no downloads", (voiceUrl, format) => {
  expect(toDownloads({ voiceUrl, downloads: [] }, nameFor)).toEqual([
    { format, url: paths.media(voiceUrl, `句子.${format}`) },
  ]);
});

test("a file under the sound's own address is encoded when it is first asked for", () => {
  const downloads = [
    { format: "mp3", url: "/files/1.mp3", bytes: 2_400_000 },
    { format: "flac", url: "/files/0.flac" },
    { format: "m4a", url: "/files/2.m4a" },
  ];
  const [mp3, flac, m4a] = toDownloads({ voiceUrl: "/files/0.mp3", downloads }, nameFor);
  expect([mp3, flac, m4a].map((file) => file && [file.isOnDemand ?? false, noteOf(file)])).toEqual([
    [false, "2.3 MB"],
    [true, playerCopy.onDemand],
    [false, ""],
  ]);
});

test("the mark at the end of the files is said where they have it", () => {
  const file = { format: "mp3", url: "/files/1.mp3" };
  const rowsOf = (hasMark?: boolean) =>
    toMarkRows(toDownloads({ voiceUrl: "/files/0.mp3", downloads: [{ ...file, hasMark }] }, nameFor), () => {});
  expect(rowsOf(true)).toEqual([null, expect.objectContaining({ label: playerCopy.markNote })]);
  expect(rowsOf(false)).toEqual([]);
  expect(rowsOf()).toEqual([]);
});

test("no download is offered without audio", () => {
  expect(toDownloads({ voiceUrl: "", downloads: [] }, nameFor)).toEqual([]);
});
