import { expect, test } from "vitest";
import { findWords } from "./context";
import { findInDictionary } from "./word-list";

function readInDictionary(text: string, character: string): string | null {
  const characters = [...text];
  return findInDictionary({ characters, words: findWords(characters), at: characters.indexOf(character) });
}

test("a longer word of the dictionary wins over a shorter one within it that has another reading", () => {
  expect(readInDictionary("去人行办事", "行")).toBe("hang2");
  expect(readInDictionary("走人行道", "行")).toBe("xing2");
});

test("no word of the dictionary is found across two words", () => {
  expect(readInDictionary("中间谍的计", "间")).toBeNull();
});
