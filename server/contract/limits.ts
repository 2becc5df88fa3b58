/** Trials of a visitor, and of an account without a tier. */
export const trialMax = 3;

/** Characters per generation. */
export const charactersFree = 100;
export const charactersVip = 500;
export const charactersSvip = 1500;
/** Characters a month of a tier, and of one extra pack by the tier that buys it. */
export const monthlyCharacters = { vip: 50_000, svip: 100_000 } as const;
export const packCharacters = { vip: 60_000, svip: 110_000 } as const;
/** Upper bound of the schema before the tier is known; marks and white space cost nothing but are bounded too. */
export const contentMaxLength = 20_000;
/** UTF-16 units that a text to be looked at may have for each character its tier speaks: room for marks and white space. */
export const unitsPerCharacter = 10;

/** Seconds that pauses add to one generation at the most. */
export const pauseMaxSeconds = 60;
/** Minutes that one generation sounds at the most. */
export const soundMaxMinutes = 30;
/** The same for all lines of a script together: its silence, and its sound. */
export const scriptPauseMaxMinutes = 30;
export const scriptSoundMaxHours = 8;

/** Films a calendar month, in Shanghai, by tier; they cost nothing else. */
export const monthlyVideos = { none: 3, vip: 30, svip: 100 } as const;
/** Minutes of sound that become one film. */
export const videoMaxMinutes = 10;
/** Pages of a film of slides, and characters of a film's title and of a page's. */
export const videoPagesMax = 60;
export const videoTitleMax = 40;
/** Saved sets of choices of an account. */
export const videoTemplatesMax = 20;
/** Pixels of the longer side of a film's picture. */
export const videoPictureMaxPx = 1920;

/** Files that a dub is exported as, with what they hold. A new one is a row here, its writer, and its name in the copy. */
export const dubExports = {
  mp3: "sound",
  wav: "sound",
  /** With chapters: of the whole book where the dub is a chapter of one. */
  m4b: "sound",
  zip: "archive",
  srt: "text",
  lrc: "text",
  vtt: "text",
} as const;
export type DubFormat = keyof typeof dubExports;

/** Lines of a script, and the characters of all of them; each line is a separate generation. */
export const scriptLinesMax = 500;
export const scriptCharactersMax = 50_000;

/** MB of a script's, a book's or a deck's file, which the browser reads itself. */
export const openedFileMaxMb = 20;

/** Factors by which a subtitle's line is spoken faster at the most, where it would not end in time. */
export const speedUp = { min: 1, max: 1.5, preset: 1.2 } as const;

/** Days that the sounds of takes stay: the drafts of a browser refer to them. */
export const takeDays = 90;
/** Days that uploaded pictures and music stay without a film, template or dub of that time that uses them. */
export const unusedUploadDays = 90;

/** Projects of an account, the bytes of one, and the days for which a deleted one can be restored. */
export const projectsMax = 200;
export const projectMaxBytes = 1_000_000;
export const projectRestoreDays = 30;
export const projectTitleMax = 100;

/** Bytes of a request body, by what it carries; the web, the BFF and the API read this one table. Without a file: */
export const jsonMaxBytes = 1024 * 1024;
/** Limit of a recording. */
export const uploadMaxBytes = 100 * 1024 * 1024;
/** Limit of a portrait. */
export const imageMaxBytes = 10 * 1024 * 1024;
export const imageMaxSidePx = 10_000;
/** A smaller photo is a blur on every card. */
export const imageMinSidePx = 100;
/** Limit of a file to be verified. */
export const verifyMaxBytes = 50 * 1024 * 1024;
/** The sound of a longer one is not compared. */
export const verifyMaxMinutes = 15;
/** Limits of a sound to be transcribed, by size as in OpenAI's interface and by length. */
export const transcriptionMaxBytes = 25 * 1024 * 1024;
export const transcriptionMaxMinutes = 5;
/** Limits of a file of music under a dub, by size and in seconds. */
export const musicMaxBytes = 50 * 1024 * 1024;
export const musicSeconds = { min: 5, max: 360 } as const;
/** Room for multipart boundaries, part headers and fields around a file. */
export const multipartFramingBytes = 64 * 1024;

export const recordingMaxSeconds = 60;

/** Roles of an account without a tier. */
export const rolesFree = 3;
export const roleNameMax = 20;
export const roleDescribeMax = 200;

export const speedMin = 0.5;
export const speedMax = 2;

export const pageSizeDefault = 10;
export const pageSizeMax = 100;

/** Seconds between two codes to one phone, and how long one lives. */
export const codeResendSeconds = 60;
export const codeTtlSeconds = 300;

/** Seconds of speech that a voice must be learned from before it can be proven. */
export const referenceLeastSeconds = 8;

/** Whether a recording is long enough for that. Ten seconds always are, pauses included, unless they are mostly silent. */
export const isProvable = ({ speechSeconds, durationMs }: { speechSeconds: number; durationMs: number }): boolean =>
  speechSeconds >= referenceLeastSeconds || (durationMs >= 10_000 && speechSeconds >= 5);

/** Characters of the name that a consent link shows to the person. */
export const askerNameMax = 20;

/** Containers of films. */
export const videoFormats = ["mp4", "webm"] as const;
/** What a film shows. */
export const videoSources = ["clone", "dub", "preview"] as const;

/** Keys of an account, and characters of a key's name. */
export const apiKeysMax = 20;
export const apiKeyNameMax = 40;
/** The longest description of a voice in words. */
export const designWordsMax = 60;
