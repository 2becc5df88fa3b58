type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Notes the last press of a button and the values of fields before hydration, for `repeat`. The build inlines it,
 * minified: it must import nothing.
 */
export function noteEarly() {
  let pressed: HTMLButtonElement | null = null;
  let isListening = false;
  const held = new Map<Field, string | boolean | null>();

  addEventListener(
    "click",
    ({ target }) => {
      const button = target instanceof Element ? target.closest("button") : null;
      // A form's own button works without scripts.
      pressed = !isListening && !(button?.form && button.type === "submit") ? button : null;
    },
    true,
  );

  const note = ({ target, isComposing }: Event & { isComposing?: boolean }) => {
    const field = target as Field;
    // `compositionend` follows.
    if (isComposing) held.delete(field);
    else if (field.type === "file" || field.type.startsWith("select")) held.set(field, null);
    else held.set(field, "checked" in field && /radio|checkbox/.test(field.type) ? field.checked : field.value);
  };
  const noted = ["input", "compositionend"];
  for (const event of noted) addEventListener(event, note, true);

  const dispatch = (field: Field, event: string) => field.dispatchEvent(new Event(event, { bubbles: true }));

  /** React ignores an input event whose value equals the one it knows. */
  const enter = (field: Field, value: string | boolean | null) => {
    if (value === null) return dispatch(field, "change");
    if (typeof value === "boolean") {
      (field as HTMLInputElement).checked = !value;
      dispatch(field, "input");
      return field.click();
    }
    field.value = `${value} `;
    dispatch(field, "input");
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
    dispatch(field, "input");
  };

  window.early = {
    listen() {
      isListening = true;
    },
    repeat() {
      for (const event of noted) removeEventListener(event, note, true);
      // After React's current work.
      setTimeout(() => {
        const button = pressed;
        for (const [field, value] of held) if (field.isConnected) enter(field, value);
        held.clear();
        pressed = null;
        if (button?.isConnected) button.click();
      });
    },
  };
}
