interface Downloads {
  downloads: Array<{ format: string; url: string }>;
}

/** The URL of the download in this format; "" without one. */
export const findDownload = ({ downloads }: Downloads, format: string): string =>
  downloads.find((download) => download.format === format)?.url ?? "";
