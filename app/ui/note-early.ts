type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Notes the last press of a button and the values of fields before hydration, for `repeat`. Parts inside `[data-late]`
 * hydrate after the page, each until its own call of `repeat`. The build inlines it, minified: it must import nothing.
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
      const isUnhandled = !isListening || isLate(button);
      // A form's own button works without scripts.
      pressed = isUnhandled && !(button?.form && button.type === "submit") ? button : null;
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
    // The last choice of a group is entered last.
    held.delete(field);
    // `compositionend` follows.
    if (isComposing) return;
    if (field.type === "file" || field.type.startsWith("select")) held.set(field, null);
    else held.set(field, "checked" in field && /radio|checkbox/.test(field.type) ? field.checked : field.value);
  };
  for (const event of ["input", "compositionend"]) addEventListener(event, note, true);

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
    isPending: () => pressed !== null || held.size > 0,
    repeat() {
      isRepeated = true;
      // After React's current work.
      setTimeout(() => {
        const button = pressed;
        for (const [field, value] of held) {
          if (isLate(field)) continue;
          held.delete(field);
          if (field.isConnected) enter(field, value);
        }
        const waits = isLate(button);
        pressed = waits ? button : null;
        if (button?.isConnected && !waits) button.click();
      });
    },
  };
}
