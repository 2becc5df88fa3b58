import { readFile, stat } from "node:fs/promises";
import { registerAacEncoder } from "@mediabunny/aac-encoder";
import h264 from "h264-mp4-encoder";
import {
  ALL_FORMATS,
  AudioSampleSink,
  AudioSampleSource,
  BufferSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathTarget,
  Input,
  Mp4OutputFormat,
  Output,
} from "mediabunny";
import { chapterBytes, writeChapters } from "../../../speech/recording/formats/mp4-chapters";
import { framesPerSecond } from "../film";
import type { EncodeRequest } from "./encoder";

/**
 * Reads I420 frames from stdin and writes an MP4 with sound. The encoder holds its output in memory, so a film is encoded
 * in parts, each beginning with a key frame.
 */
const framesPerPart = 20 * framesPerSecond;
const quality = { speed: 10, quantizationParameter: 24, groupOfPictures: 50 };
const audioBitrate = 96_000;
/** AAC has 1,024 samples in a packet; a few more for the encoder's delay. */
const audioPackets = (seconds: number) => Math.ceil((seconds * 48_000) / 1024) + 16;
const colorSpace = { primaries: "bt709", transfer: "bt709", matrix: "bt709", fullRange: false } as const;

async function* readFrames({ width, height }: EncodeRequest): AsyncGenerator<Uint8Array> {
  const frame = new Uint8Array(width * height * 1.5);
  let filled = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; ) {
      const count = Math.min(frame.length - filled, chunk.length - at);
      frame.set(chunk.subarray(at, at + count), filled);
      filled += count;
      at += count;
      if (filled < frame.length) continue;
      yield frame;
      filled = 0;
    }
  }
}

async function startPart({ width, height }: EncodeRequest) {
  const encoder = await h264.createH264MP4Encoder();
  Object.assign(encoder, { width, height, frameRate: framesPerSecond, ...quality });
  encoder.initialize();
  return {
    add: (frame: Uint8Array) => encoder.addFrameYuv(frame),
    finish(): Uint8Array {
      encoder.finalize();
      const bytes = encoder.FS.readFile(encoder.outputFilename);
      encoder.FS.unlink(encoder.outputFilename);
      encoder.delete();
      return bytes;
    },
  };
}

/**
 * Whether a NAL unit of an IDR picture is in it, each behind its length. The encoder's own file calls every picture a key
 * picture: players that seek there show nothing until the next real one.
 */
function isKeyPicture(data: Uint8Array): boolean {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = 0; at + 4 < data.length; at += 4 + view.getUint32(at)) {
    if ((view.getUint8(at + 4) & 31) === 5) return true;
  }
  return false;
}

/** Encodes all frames, and copies the pictures of each part behind those of the last. */
async function copyPictures(request: EncodeRequest, pictures: EncodedVideoPacketSource): Promise<void> {
  let frames = 0;
  let part: Awaited<ReturnType<typeof startPart>> | undefined;
  const finishPart = async (count: number) => {
    const input = new Input({ source: new BufferSource(part?.finish() ?? new Uint8Array()), formats: ALL_FORMATS });
    part = undefined;
    const track = await input.getPrimaryVideoTrack();
    const config = await track?.getDecoderConfig();
    if (!track || !config) throw new Error("the encoder made no pictures");
    let at = frames - count;
    for await (const packet of new EncodedPacketSink(track).packets()) {
      const type = isKeyPicture(packet.data) ? "key" : "delta";
      const moved = new EncodedPacket(packet.data, type, at / framesPerSecond, 1 / framesPerSecond);
      await pictures.add(moved, { decoderConfig: { ...config, colorSpace } });
      at++;
    }
    if (at !== frames) throw new Error(`${at} pictures of ${frames} frames`);
  };
  for await (const frame of readFrames(request)) {
    part ??= await startPart(request);
    part.add(frame);
    frames++;
    if (frames % framesPerPart === 0) await finishPart(framesPerPart);
  }
  if (part) await finishPart(frames % framesPerPart);
  // The drawing process ended early.
  if (frames !== request.frames) throw new Error(`${frames} of ${request.frames} frames`);
}

/** The encoder delays the sound by up to three packets: as much of the silence at its end is left out. */
async function copySound({ soundPath, frames }: EncodeRequest, sound: AudioSampleSource): Promise<void> {
  const input = new Input({ source: new BufferSource(await readFile(soundPath)), formats: ALL_FORMATS });
  const track = await input.getPrimaryAudioTrack();
  if (!track) throw new Error("no sound");
  const end = frames / framesPerSecond - (3 * 1024) / track.sampleRate;
  for await (const sample of new AudioSampleSink(track).samples(0, end)) {
    await sound.add(sample);
    sample.close();
  }
}

async function encode(request: EncodeRequest): Promise<void> {
  registerAacEncoder();
  const target = new FilePathTarget(request.to);
  let size = 0;
  target.on("write", ({ end }) => {
    size = Math.max(size, end);
  });
  const output = new Output({
    // The label's entry precedes the pictures, and nothing is held in memory.
    format: new Mp4OutputFormat({ fastStart: "reserve", metadataFormat: "mdta" }),
    target,
  });
  const pictures = new EncodedVideoPacketSource("avc");
  const sound = new AudioSampleSource({ codec: "aac", bitrate: audioBitrate });
  // Room for a packet is four bytes at least; what is left is a box that gives its place to the chapters.
  const maximumPacketCount = request.frames + 1 + Math.ceil(chapterBytes(request.chapters) / 4);
  output.addVideoTrack(pictures, { frameRate: framesPerSecond, maximumPacketCount });
  output.addAudioTrack(sound, { maximumPacketCount: audioPackets(request.frames / framesPerSecond) });
  output.setMetadataTags({ raw: { AIGC: request.labelRoom } });
  await output.start();
  await Promise.all([
    copyPictures(request, pictures).then(() => pictures.close()),
    copySound(request, sound).then(() => sound.close()),
  ]);
  await output.finalize();
  // The muxer takes a write that a full disk cut off for a whole one.
  if ((await stat(request.to)).size < size) throw new Error("No space left on device");
  await writeChapters(request.to, request.chapters);
}

encode(JSON.parse(process.argv[2] ?? "") as EncodeRequest).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(error instanceof Error ? error.message : String(error), () => process.exit(1));
  },
);
