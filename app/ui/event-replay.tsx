import { useEffect } from "react";
import { useDocument } from "./document-context";

declare global {
  interface Window {
    /** `listen`: React's listeners are attached. `repeat`: the page has hydrated. */
    early?: { listen(): void; repeat(): void };
  }
}

/** In the document's head: notes the last press and all input before hydration, which React 18 loses, and repeats them. */
export function EarlyScript() {
  const { nonce } = useDocument();
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own code; as text it would be escaped
  return <script dangerouslySetInnerHTML={{ __html: `(${noteEarly})()` }} nonce={nonce} />;
}

export const useEarlyInput = () => useEffect(() => window.early?.repeat(), []);

/** Runs as an inline script: it must import nothing. */
function noteEarly() {
  let pressed: HTMLButtonElement | null = null;
  let isListening = false;
  const fields = new Map<HTMLInputElement, string | boolean>();
  const press = ({ target }: Event) => {
    const button = (target as Element).closest("button");
    // A form's own button works without scripts.
    pressed = isListening || (button?.form && button.type === "submit") ? null : button;
  };
  const note = ({ target, isComposing }: Event & { isComposing?: boolean }) => {
    const field = target as HTMLInputElement;
    if (isComposing) fields.delete(field);
    else fields.set(field, /radio|checkbox/.test(field.type) ? field.checked : field.value);
  };
  const enter = (field: HTMLInputElement, value: string | boolean) => {
    const fire = (event: string) => field.dispatchEvent(new Event(event, { bubbles: true }));
    if (/file|select/.test(field.type)) return fire("change");
    // React ignores an event whose value it knows, so the field first gets another one.
    if (typeof value === "boolean") field.checked = !value;
    else field.value = `${value} `;
    fire("input");
    if (typeof value === "boolean") return field.click();
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
    return fire("input");
  };
  const noted = ["input", "compositionend"];
  addEventListener("click", press, true);
  for (const event of noted) addEventListener(event, note, true);
  const repeat = () => {
    for (const event of noted) removeEventListener(event, note, true);
    const button = pressed; // entering a choice is a press
    for (const [field, value] of fields) if (field.isConnected) enter(field, value);
    if (button?.isConnected) button.click();
  };
  const listen = () => {
    isListening = true;
  };
  window.early = { listen, repeat: () => void setTimeout(repeat) };
}
