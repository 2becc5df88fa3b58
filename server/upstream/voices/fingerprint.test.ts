import { expect, it } from "vitest";
import type { SpeechEngine, SpeechRequest, VoiceProfile } from "../../speech/engine";
import { fingerprintOf } from "./segments";

const engine = { id: "engine", version: "1" } as SpeechEngine;
const voice: VoiceProfile = { engine: "engine", version: "1", parameters: { pitch: { medianSt: 80, spreadSt: 2 } } };
const request: SpeechRequest = { text: { units: [] }, voice, speed: 1 };

it("a voice has the same fingerprint after the database changed its key order", () => {
  const stored: VoiceProfile = { parameters: { pitch: { spreadSt: 2, medianSt: 80 } }, version: "1", engine: "engine" };
  expect(fingerprintOf(engine, { ...request, voice: stored })).toBe(fingerprintOf(engine, request));
});

it("requests with audible differences have different fingerprints", () => {
  const lively: VoiceProfile = { ...voice, parameters: { pitch: { medianSt: 80, spreadSt: 4 } } };
  const others: SpeechRequest[] = [
    { ...request, voice: lively },
    { ...request, tone: voice },
    { ...request, tone: lively },
    { ...request, speed: 1.1 },
    { ...request, pitch: 1 },
    { ...request, emotion: { happy: 1 } },
    { ...request, repetition: 1 },
    { ...request, repetition: 2 },
  ];
  const prints = [request, ...others].map((one) => fingerprintOf(engine, one));
  expect(new Set(prints).size).toBe(prints.length);
});

it("values without an audible effect do not change the fingerprint", () => {
  const neutral: SpeechRequest = { ...request, pitch: 0, emotion: { happy: 0 }, repetition: 0 };
  expect(fingerprintOf(engine, neutral)).toBe(fingerprintOf(engine, request));
});
