import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeProjects, type ProjectDocument } from "./merge";

interface TestLine {
  id: string;
  content: string;
  cueMs?: number;
}

const project = (lines: readonly TestLine[], rest: object = {}, title = ""): ProjectDocument => ({
  script: { title, lines },
  ...rest,
});
const linesOf = ({ script }: ProjectDocument) => (script as { lines: TestLine[] }).lines;
const textOf = (document: ProjectDocument) => linesOf(document).map(({ content }) => content);
const line = (id: string, content = id): TestLine => ({ id, content });
const base = [line("a"), line("b"), line("c")];

describe("the changes of two devices", () => {
  test("of different lines are all taken, with fields that this page does not know", () => {
    const local = [{ ...line("a"), cueMs: 40 }, line("b"), line("c"), line("d")];
    const remote = [line("a"), line("b", "b2"), line("x")];
    const { document, both } = mergeProjects(project(base), project(local), project(remote));
    expect(linesOf(document)).toEqual([{ ...line("a"), cueMs: 40 }, line("b", "b2"), line("d"), line("x")]);
    expect(both).toEqual({ lines: 0, title: false, music: false });
  });

  test("of one line keep both, the other device's first, once however often they are joined", () => {
    const [local, remote] = [
      project([line("a", "本机"), line("b"), line("c")], { takes: [["a", [{ key: "k", at: 1 }]]] }),
      project([line("a", "别处"), line("b"), line("c")]),
    ];
    const merged = mergeProjects(project(base), local, remote);
    expect(textOf(merged.document)).toEqual(["别处", "本机", "b", "c"]);
    expect(merged.both.lines).toBe(1);
    const copy = linesOf(merged.document)[1];
    expect(copy?.id).not.toBe("a");
    expect(merged.document.takes).toContainEqual([copy?.id, [{ key: "k", at: 1 }]]);
    expect(textOf(mergeProjects(project(base), local, merged.document).document)).toEqual(["别处", "本机", "b", "c"]);
  });

  test("an edited line outlives its deletion, and a script has a line", () => {
    const edited = project([line("a"), line("b", "改过"), line("c")]);
    const without = project([line("a"), line("c")]);
    expect(textOf(mergeProjects(project(base), edited, without).document)).toEqual(["a", "改过", "c"]);
    expect(textOf(mergeProjects(project(base), without, edited).document)).toEqual(["a", "改过", "c"]);
    const two = project([line("a"), line("b")]);
    expect(textOf(mergeProjects(two, project([line("a")]), project([line("b")])).document)).toEqual(["b"]);
  });

  test("a moved line stays where the device that moved it has put it", () => {
    const moved = project([line("c"), line("a"), line("b")]);
    const edited = project([line("a"), line("b"), line("c", "改过"), line("d")]);
    expect(textOf(mergeProjects(project(base), moved, edited).document)).toEqual(["改过", "d", "a", "b"]);
    expect(textOf(mergeProjects(project(base), edited, moved).document)).toEqual(["改过", "d", "a", "b"]);
  });

  test("of the title are named where both have it changed", () => {
    const [local, remote] = [project(base, {}, "本机"), project(base, {}, "别处")];
    const merged = mergeProjects(project(base), local, remote);
    expect(merged).toMatchObject({ document: { script: { title: "别处" } }, both: { title: true } });
    expect(mergeProjects(project(base), local, project(base)).document).toMatchObject({ script: { title: "本机" } });
  });

  test("of sounds, roles and versions are joined by their keys", () => {
    const before = project(base, {
      made: [
        ["k1", 1],
        ["k2", 1],
      ],
      versions: [{ at: 1 }],
    });
    const local = project(base, {
      made: [
        ["k1", 1],
        ["k3", 1],
      ],
      versions: [{ at: 3 }, { at: 1 }],
    });
    const remote = project(base, {
      made: [
        ["k1", 1],
        ["k2", 1],
        ["k4", 1],
      ],
      versions: [{ at: 2 }, { at: 1 }],
    });
    const { document } = mergeProjects(before, local, remote);
    expect(document.made).toEqual([
      ["k1", 1],
      ["k3", 1],
      ["k4", 1],
    ]);
    expect(document.versions).toEqual([{ at: 3 }, { at: 2 }, { at: 1 }]);
  });
});

const ids = fc.uniqueArray(fc.constantFrom(..."abcdefghij"), { minLength: 1 });
const sideOf = (name: string, known: readonly string[]) =>
  fc
    .record({
      kept: fc.shuffledSubarray([...known]),
      edited: fc.subarray([...known]),
      added: fc.uniqueArray(fc.constantFrom("1", "2", "3")),
    })
    .map(({ kept, edited, added }) => {
      const lines = kept.map((id) => line(id, edited.includes(id) ? `${id} ${name}` : id));
      for (const id of added) lines.splice(Number(id), 0, line(`${name}${id}`));
      return lines.length > 0 ? lines : [line(`${name}0`)];
    });
const sides = ids.chain((known) =>
  fc.record({ known: fc.constant(known), local: sideOf("l", known), remote: sideOf("r", known) }),
);

test("no line that a device has written is lost or doubled", () => {
  fc.assert(
    fc.property(sides, ({ known, local, remote }) => {
      const old = known.map((id) => line(id));
      const { document } = mergeProjects(project(old), project(local), project(remote));
      const texts = textOf(document);
      const written = [...local, ...remote].filter(({ id, content }) => !known.includes(id) || content !== id);
      for (const { content } of written) expect(texts.filter((text) => text === content)).toHaveLength(1);
      const merged = linesOf(document).map(({ id }) => id);
      expect(new Set(merged).size).toBe(merged.length);
      expect(merged.length).toBeGreaterThan(0);
    }),
  );
});

test("changes of different lines give the same whichever device joins them", () => {
  fc.assert(
    fc.property(sides, ({ known, local, remote }) => {
      const old = known.map((id) => line(id));
      const inOrder = (lines: TestLine[]) => [...lines].sort((a, b) => known.indexOf(a.id) - known.indexOf(b.id));
      const edits = (lines: TestLine[]) => lines.filter(({ id, content }) => content !== id).map(({ id }) => id);
      fc.pre(!edits(local).some((id) => edits(remote).includes(id)));
      const [own, other] = [local, remote].map((lines) =>
        project(
          inOrder(lines.filter(({ id }) => known.includes(id))).concat(lines.filter(({ id }) => !known.includes(id))),
        ),
      );
      if (!own || !other || linesOf(own).length === 0 || linesOf(other).length === 0) return;
      const there = linesOf(mergeProjects(project(old), own, other).document);
      const back = linesOf(mergeProjects(project(old), other, own).document);
      if (there.length === 1 && back.length === 1) return;
      expect(there).toEqual(back);
    }),
  );
});
