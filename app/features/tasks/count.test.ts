import { expect, test } from "vitest";
import { listenToDeeds } from "~/analytics-events";
import { countEnd } from "./count";

test("clones, dubs and roles are told once they end, with what went wrong", () => {
  const heard: unknown[] = [];
  const stop = listenToDeeds((...deed) => heard.push(deed));
  countEnd({ kind: "clone", status: 1, msg: "" });
  countEnd({ kind: "clone", status: 2, msg: "" });
  countEnd({ kind: "dub", status: 3, msg: "synthesis-failed" });
  countEnd({ kind: "role", status: 2, msg: "" });
  countEnd({ kind: "trial", status: 2, msg: "" });
  stop();
  expect(heard).toEqual([
    ["generated", { where: "clone" }],
    ["generation_failed", { where: "dub", why: "synthesis-failed" }],
    ["generated", { where: "role" }],
  ]);
});
