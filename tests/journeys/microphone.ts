import { test as base } from "./fixtures";

/** Somebody reading a card's first sentence (tests/config/journeys-setup.ts). */
export const spokenRecording = String(process.env.SPOKEN_RECORDING);

/** The browser's microphone hears the recording, over and over or once and then nothing; it is there for uploads too. */
export const withMicrophone = (hears: "over and over" | "once") =>
  base.extend<object, { voiceFile: string }>({
    voiceFile: [spokenRecording, { option: true, scope: "worker" }],
    launchOptions: [
      async ({ launchOptions, voiceFile }, use) => {
        const microphone = [
          "--use-fake-device-for-media-stream",
          "--use-fake-ui-for-media-stream",
          `--use-file-for-fake-audio-capture=${voiceFile}${hears === "once" ? "%noloop" : ""}`,
        ];
        await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...microphone] });
      },
      { scope: "worker" },
    ],
  });
