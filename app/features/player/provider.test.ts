import { describe, expect, test } from "vitest";
import { type PlayerEvent, reducePlayer, silence } from "./provider";

const track = { url: "/bff/media?url=a.mp3", title: "一" };
const other = { url: "/bff/media?url=b.mp3", title: "二" };
const play = (...events: PlayerEvent[]) => events.reduce(reducePlayer, silence);
const loaded: PlayerEvent[] = [
  { type: "loading", track },
  { type: "ready", attempt: 1, durationSeconds: 8 },
];

describe("the player", () => {
  test("is hidden until the audio is ready", () => {
    expect(silence.isShown).toBe(false);
    expect(play({ type: "loading", track })).toMatchObject({ isShown: false, isLoading: true, isPlaying: false });
    expect(play(...loaded)).toMatchObject({ isShown: true, isLoading: false, durationSeconds: 8 });
  });

  test("goes from loading to playing without a paused state between", () => {
    const begun = play({ type: "loading", track }, { type: "ready", attempt: 1, durationSeconds: 8, isPlaying: true });
    expect(begun).toMatchObject({ isLoading: false, isPlaying: true });
  });

  test("stays hidden when the audio has no length", () => {
    expect(play({ type: "loading", track }, { type: "ready", attempt: 1, durationSeconds: 0 }).isShown).toBe(false);
  });

  test("plays and pauses", () => {
    expect(play(...loaded, { type: "playing" }).isPlaying).toBe(true);
    expect(play(...loaded, { type: "playing" }, { type: "paused" })).toMatchObject({ isPlaying: false, track });
  });

  test("resets the duration to 0 when the audio fails and can be started again", () => {
    const failed = play(...loaded, { type: "playing" }, { type: "failed", attempt: 1 });
    expect(failed).toMatchObject({ durationSeconds: 0, isPlaying: false, isLoading: false });
    expect(failed.isShown).toBe(false);
    expect(reducePlayer(failed, { type: "loading", track })).toMatchObject({ attempt: 2, isLoading: true });
  });

  test("ignores events of an earlier track after a later one was requested", () => {
    const replaced = play(...loaded, { type: "loading", track: other });
    expect(replaced).toMatchObject({ track: other, durationSeconds: 0, isLoading: true, isShown: true });
    expect(reducePlayer(replaced, { type: "ready", attempt: 1, durationSeconds: 8 })).toBe(replaced);
    expect(reducePlayer(replaced, { type: "failed", attempt: 1 })).toBe(replaced);
    expect(reducePlayer(replaced, { type: "ready", attempt: 2, durationSeconds: 3 }).durationSeconds).toBe(3);
  });

  test("clears the track when closed and ignores its late events", () => {
    const closed = play(...loaded, { type: "playing" }, { type: "closed" });
    expect(closed).toMatchObject({ track: null, durationSeconds: 0, isPlaying: false, isShown: false });
    expect(reducePlayer(closed, { type: "ready", attempt: 1, durationSeconds: 8 })).toBe(closed);
    expect(reducePlayer(closed, { type: "playing" })).toBe(closed);
  });

  test("keeps speed and collapse from one track to the next", () => {
    const state = play(...loaded, { type: "speed", speed: 1.5 }, { type: "collapsed", isCollapsed: true });
    expect(reducePlayer(state, { type: "loading", track: other })).toMatchObject({ speed: 1.5, isCollapsed: true });
  });
});
