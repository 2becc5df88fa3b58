import { expect, it } from "vitest";
import { AppError } from "./errors";
import { failureCodeOf } from "./task-status";

it("names a full disk as the reason of a failed task", () => {
  expect(failureCodeOf(Object.assign(new Error("could not extend file"), { code: "53100" }))).toBe("storage-full");
  expect(failureCodeOf(new AppError("voice-missing", "the voice is gone"))).toBe("voice-missing");
  expect(failureCodeOf(new Error("an engine's fault"))).toBe("synthesis-failed");
});
