import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { StallTimer } from "./stall-timer";

describe("a stall timer of 3 seconds", () => {
  const onStall = vi.fn();
  let waitMs = 0;
  let timer: StallTimer;
  beforeEach(() => {
    vi.useFakeTimers();
    onStall.mockClear();
    waitMs = 5000;
    timer = new StallTimer(1, { seconds: 3, onStall }, () => waitMs);
  });
  afterEach(() => {
    timer.stop();
    vi.useRealTimers();
  });

  it("reports a process without a sign once", () => {
    vi.advanceTimersByTime(2999);
    expect(onStall).not.toHaveBeenCalled();
    vi.advanceTimersByTime(10_000);
    expect(onStall).toHaveBeenCalledTimes(1);
  });

  it("starts again with every sign", () => {
    for (let i = 0; i < 5; i++) {
      vi.advanceTimersByTime(2000);
      timer.reset();
    }
    expect(onStall).not.toHaveBeenCalled();
  });

  it("does not count the time in which the process waits for a processor", () => {
    for (let second = 1; second <= 11; second++) {
      waitMs += 750;
      vi.advanceTimersByTime(1000);
    }
    expect(onStall).not.toHaveBeenCalled();
    waitMs += 750;
    vi.advanceTimersByTime(1000);
    expect(onStall).toHaveBeenCalled();
  });
});
