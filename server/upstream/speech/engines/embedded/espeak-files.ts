import { closeSync, openSync, readSync } from "node:fs";

type CreateFile = (path: string, parent: null, bytes: Uint8Array, ...modes: boolean[]) => unknown;

/** Hooks of the program's Emscripten loader. */
export interface LoaderHooks {
  getPreloadedPackage(path: string, size: number): ArrayBuffer;
  FS_createDataFile: CreateFile;
}

const folder = "/usr/share/espeak-ng-data/";
const neededFiles = new Set(
  ["phontab", "phonindex", "phondata", "intonations", "cmn_dict", "en_dict", "lang/sit/cmn", "lang/gmw/en"].map(
    (name) => folder + name,
  ),
);

/**
 * Gives eSpeak only the files for Mandarin and English: 8 of 459, 2.9 of 24 MB. Otherwise it opens the voices of every
 * language at its start. Measured: 250 → 70 ms of processor time to start, 30 MB less memory, the same samples.
 */
export function selectFiles(): LoaderHooks {
  let packagePath = "";
  let create: CreateFile = () => {};
  const createIfNeeded: CreateFile = (path, parent, bytes, ...modes) => {
    if (!neededFiles.has(path)) return;
    const file = openSync(packagePath, "r");
    readSync(file, bytes, 0, bytes.length, bytes.byteOffset);
    closeSync(file);
    create(path, parent, bytes, ...modes);
  };
  return {
    // Pages of the buffer that nothing writes to stay without memory.
    getPreloadedPackage(path, size) {
      packagePath = path;
      return new ArrayBuffer(size);
    },
    get FS_createDataFile() {
      return createIfNeeded;
    },
    set FS_createDataFile(original) {
      create = original;
    },
  };
}
