import { test as base } from "./fixtures";

/** A person reading the first sentence of a card (tests/config/journeys-setup.ts). */
export const spokenRecording = String(process.env.SPOKEN_RECORDING);

/** Feeds the recording to the browser's microphone, repeated or once and then silence; also usable for uploads. */
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
