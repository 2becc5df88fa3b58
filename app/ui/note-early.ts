type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Runs inline, minified by the build, before anything can be pressed, and so stands alone: notes what people do before
 * the scripts are there, the last press of a button and what fields hold, for `repeat`. Parts inside `[data-late]` stay
 * deaf longer than the page, each until its own call of `repeat`.
 */
export function noteEarly() {
  let pressed: HTMLButtonElement | null = null;
  let isListening = false;
  let isRepeated = false;
  const held = new Map<Field, string | boolean | null>();
  const isLate = (element: Element | null) => Boolean(element?.closest("[data-late]"));

  addEventListener(
    "click",
    ({ target }) => {
      const button = target instanceof Element ? target.closest("button") : null;
      const isDeaf = !isListening || isLate(button);
      // A form's own button works without scripts.
      pressed = isDeaf && !(button?.form && button.type === "submit") ? button : null;
    },
    true,
  );
  // The lazy part has hydrated and handles presses itself.
  addEventListener("click", () => {
    if (isListening && !isLate(pressed)) pressed = null;
  });

  const note = ({ target, isComposing }: Event & { isComposing?: boolean }) => {
    const field = target as Field;
    if (isRepeated && !isLate(field)) return;
    // So that the last choice of a group is entered last.
    held.delete(field);
    // A word that is still being spelt has its own event at its end.
    if (isComposing) return;
    if (field.type === "file" || field.type.startsWith("select")) held.set(field, null);
    else held.set(field, "checked" in field && /radio|checkbox/.test(field.type) ? field.checked : field.value);
  };
  for (const event of ["input", "compositionend"]) addEventListener(event, note, true);

  const tell = (field: Field, event: string) => field.dispatchEvent(new Event(event, { bubbles: true }));

  /** React takes a value for news only where it knew another one. */
  const enter = (field: Field, value: string | boolean | null) => {
    if (value === null) return tell(field, "change");
    if (typeof value === "boolean") {
      (field as HTMLInputElement).checked = !value;
      tell(field, "input");
      return field.click();
    }
    field.value = `${value} `;
    tell(field, "input");
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
    tell(field, "input");
  };

  window.early = {
    listen() {
      isListening = true;
    },
    isPending: () => pressed !== null || held.size > 0,
    repeat() {
      isRepeated = true;
      // Not while React is at work.
      setTimeout(() => {
        const button = pressed;
        for (const [field, value] of held) {
          if (isLate(field)) continue;
          held.delete(field);
          if (field.isConnected) enter(field, value);
        }
        const isDeaf = isLate(button);
        pressed = isDeaf ? button : null;
        if (button?.isConnected && !isDeaf) button.click();
      });
    },
  };
}
