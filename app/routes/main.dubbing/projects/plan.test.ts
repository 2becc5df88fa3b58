import fc from "fast-check";
import { expect, test } from "vitest";
import { firstProjectId, type Project } from "./current";
import { type ListedProject, planProjects } from "./plan";

const written = { id: "a", title: "", excerpt: "天亮了。", lines: 1, characters: 4, updatedAt: 5 };
const saved = { ...written, account: { revision: 2, at: 5, isDeleted: false } };
const changed = { ...saved, updatedAt: 6 };
const listed: ListedProject = { ...written, revision: 2 };
const known = (project: Project, isDeleted: boolean) => ({ ...project, account: { ...saved.account, isDeleted } });

const cases: Array<[string, Project | null, ListedProject | null, string | null]> = [
  ["a project of another device is listed", null, listed, "list"],
  ["a new project goes into the account", written, null, "sync"],
  ["an empty one without a name stays here", { ...written, lines: 0 }, null, null],
  [
    "the script of a browser from before there were projects stays here",
    { ...written, id: firstProjectId },
    null,
    null,
  ],
  ["equal ones stay as they are", saved, listed, null],
  ["a change goes into the account", changed, listed, "sync"],
  ["a change elsewhere is listed", saved, { ...listed, revision: 3 }, "list"],
  ["changes of both are merged", changed, { ...listed, revision: 3 }, "sync"],
  ["a project that the account has lost returns", saved, null, "sync"],
  ["a deletion goes into the account", { ...changed, deletedAt: 9 }, listed, "delete"],
  [
    "a deletion that the account knows stays",
    known({ ...saved, deletedAt: 9 }, true),
    { ...listed, deletedAt: 9 },
    null,
  ],
  ["an undone deletion goes into the account", known(saved, true), { ...listed, deletedAt: 9 }, "restore"],
  ["a deletion elsewhere is listed", saved, { ...listed, deletedAt: 9 }, "list"],
  ["a deletion elsewhere deletes no change of this browser", changed, { ...listed, deletedAt: 9 }, "sync"],
  ["a deletion undone elsewhere is listed", known({ ...saved, deletedAt: 9 }, true), listed, "list"],
  ["what nobody can restore is removed", known({ ...saved, deletedAt: 9 }, true), null, "remove"],
  ["a deleted project that the account never had is left alone", { ...written, deletedAt: 9 }, null, null],
];

test.each(cases)("%s", (_, own, other, act) => {
  const [step] = planProjects(own ? [own] : [], other ? [other] : []);
  expect(step?.act ?? null).toBe(act);
});

const deletedAt = fc.option(fc.constant(9), { nil: undefined });
const own = fc.record({
  ...{ id: fc.constant("a"), title: fc.constant(""), excerpt: fc.constant(""), lines: fc.nat(1) },
  ...{ characters: fc.constant(0), updatedAt: fc.integer({ min: 5, max: 6 }), deletedAt },
  account: fc.option(fc.record({ revision: fc.nat(3), at: fc.constant(5), isDeleted: fc.boolean() }), {
    nil: undefined,
  }),
});
const other = fc.record({
  ...{ id: fc.constant("a"), title: fc.constant(""), excerpt: fc.constant(""), lines: fc.constant(1) },
  ...{ characters: fc.constant(0), updatedAt: fc.constant(5), deletedAt, revision: fc.nat(3) },
});

test("what was written here and not deleted here is neither removed nor hidden", () => {
  fc.assert(
    fc.property(own, fc.option(other), (project, theirs) => {
      fc.pre(project.lines > 0 && project.deletedAt === undefined && project.account?.at !== project.updatedAt);
      const [step] = planProjects([project], theirs ? [theirs] : []);
      expect(["sync", "restore"]).toContain(step?.act);
    }),
  );
});
