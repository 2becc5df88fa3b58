type Listener = (address: string) => void;

const waiting: string[] = [];
let listener: Listener | null = null;

/** Reports a picture that did not load, by its address at this site. */
export function reportPictureFailure(address: string): void {
  if (listener) listener(address);
  else waiting.push(address);
}

/** Calls `next` for every failed picture, those before it came included; answers how to stop. */
export function listenToPictureFailures(next: Listener): () => void {
  listener = next;
  for (const address of waiting.splice(0)) next(address);
  return () => {
    if (listener === next) listener = null;
  };
}
