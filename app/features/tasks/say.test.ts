import { expect, test } from "vitest";
import { captionAt } from "./say";

const text = "念一句话，就有你的声音，还可以分享给朋友们听。";
const units = [...text].map((word, offset) => ({ text: word, offset, start: offset * 100, end: offset * 100 + 100 }));

test("shows the first line unmarked before the first word", () => {
  expect(captionAt(text, [], 0)).toEqual({ before: "", current: "", after: "念一句话，就有你的声音，" });
});

test("marks the words that are spoken now and those just before", () => {
  expect(captionAt(text, units, 950)).toEqual({ before: "念一句话，就有", current: "你的声", after: "音，" });
});

test("goes on to the next line with its first word, marking nothing of the line before", () => {
  expect(captionAt(text, units, 1250)).toEqual({ before: "", current: "还", after: "可以分享给朋友们听。" });
});

test("splits a phrase without punctuation, and loses no character", () => {
  const long = "一".repeat(60);
  const all = [...long].map((word, offset) => ({ text: word, offset, start: offset, end: offset + 1 }));
  const lines = new Set(all.map(({ start }) => Object.values(captionAt(long, all, start)).join("")));
  expect([...lines].every((line) => line.length <= 14)).toBe(true);
  expect(captionAt(long, all, 59).after).toBe("");
});
