import { type CallName, calls } from "~server/contract/calls/table";

/** `must`: the site cannot work with it otherwise. `should`: the site reads it all the same, or does without. */
export type Level = "must" | "should";

export interface CheckResult {
  call: CallName;
  route: string;
  level: Level;
  check: string;
  result: "pass" | "fail" | "not offered" | "not tried";
  /** The fault, or why it was not tried. */
  detail: string;
}

/** Collects results; a fault of null passes. */
export function createRecorder() {
  // A poll repeats its checks; each counts once, and a fault stays.
  const results = new Map<string, CheckResult>();
  const add = (call: CallName, level: Level, check: string, outcome: Pick<CheckResult, "result" | "detail">) => {
    const key = `${call} ${level} ${check}`;
    if (results.get(key)?.result !== "fail")
      results.set(key, { call, route: `${calls[call].method} ${calls[call].path}`, level, check, ...outcome });
  };
  return {
    results: () => [...results.values()],
    note(call: CallName, level: Level, check: string, fault: string | null): boolean {
      add(call, level, check, fault === null ? { result: "pass", detail: "" } : { result: "fail", detail: fault });
      return fault === null;
    },
    skip: (call: CallName, check: string, why: string) =>
      add(call, "must", check, { result: "not tried", detail: why }),
    miss: (call: CallName) => add(call, "should", "offered", { result: "not offered", detail: "" }),
  };
}
export type Recorder = ReturnType<typeof createRecorder>;
