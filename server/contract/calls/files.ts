import { z } from "zod/v4";
import { answered, flag, id, inField, lengthSeconds, moment, numberOr, optional, orNull, text } from "./tolerant";

const answer = () => orNull(flag());

/** POST /verify, multipart `file`: is it ours, and is it marked as AI-generated? null: cannot tell. */
export const verified = z.object({
  ours: answer(),
  labelled: answer(),
  /** RFC 3339; "" if neither label nor fingerprint tells. */
  generatedAt: text(),
  /** The label's ProduceID; "" if unknown. */
  contentId: text(),
  /** Method of the recognition. */
  by: orNull(z.enum(["label", "fingerprint"])),
  /**
   * State of the label: `valid` signed by us · `unsigned` without a signature · `foreign` another producer's, or a key
   * that is not ours · `changed` after we signed it. Null without a readable label.
   */
  signature: orNull(z.enum(["valid", "unsigned", "foreign", "changed"])),
  /** If the file is the receipt of a revocation: whether we issued it, and whether all bytes are deleted. */
  receipt: orNull(
    z.object({
      receiptId: text(),
      revokedAt: text(),
      signature: z.enum(["valid", "unsigned", "foreign", "changed"]),
      isErased: flag(),
    }),
  ),
});

/** Beside the part `file`: the server takes the noise out of a recording and keeps the original too. */
const denoising = { denoise: flag() };

/**
 * POST /file/upload, multipart: the part `file` beside these fields. `picture` and `loop` are ours, for films: a still of
 * at most 1,920 pixels a side, and a silent moving picture of a few seconds, read from GIF, WebP, MP4 or WebM.
 */
export const fileUploadRequest = z.object({ type: z.enum(["image", "audio", "picture", "loop"]), ...denoising });

/** POST /file/uploadCustom, multipart: the part `file` beside this field. */
export const recordingUploadRequest = z.object(denoising);

const paths = ["voicePath", "filePath", "url", "emotionPath", "fileUrl", "audioUrl", "imageUrl", "src", "path"];
/** A bare string is the file's address, and one file may come as a list of one. */
const toUploaded = (value: unknown) => inField("url")(Array.isArray(value) ? value[0] : value);

export const uploadedFile = z.preprocess(
  toUploaded,
  answered(
    [paths],
    z.object({
      url: id(),
      filePath: id(),
      voicePath: id(),
      name: text(),
      /** Bytes. */
      size: numberOr(0),
      mime: text(),
      /** Seconds; audio only. */
      duration: optional(lengthSeconds()),
    }),
  ),
);

/** POST /file/uploadMusic, multipart: the part `file` alone; ours. Of music to put under a dub. */
export const uploadedMusic = z.object({
  musicPath: id(),
  url: id(),
  name: text(),
  /** Seconds. */
  duration: numberOr(0),
  /** LUFS. */
  loudness: numberOr(0),
});

/** Fitness of a recording as a reference; ours. `clipping` is the share of clipped samples, `tips` are short codes. */
export const recordingQuality = z.object({
  snrDb: numberOr(0),
  clipping: numberOr(0),
  speechSeconds: numberOr(0),
  peakDb: numberOr(0),
  verdict: z.enum(["good", "usable", "refused"]),
  tips: z.array(z.string()),
});

export const uploadedRecording = z.preprocess(
  toUploaded,
  answered(
    [paths],
    z.object({
      emotionPath: id(),
      voicePath: id(),
      name: text(),
      /** Seconds. */
      duration: lengthSeconds(),
      createdAt: moment(),
      quality: orNull(recordingQuality),
      /** Of a recording that was denoised; "" if it was not, or if the original cannot be used by itself. Ours. */
      originalPath: text(),
    }),
  ),
);
