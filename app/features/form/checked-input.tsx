import { type ComponentProps, type FormEvent, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { fieldFaults } from "~/copy/errors";
import { Input } from "~/ui/fields";

/**
 * An input that says below itself what is missing or wrong with it, where the browser would say so in its own language.
 * Without scripts nothing is required here: the server refuses the form.
 */
export function CheckedInput({ error, required = false, ...rest }: ComponentProps<typeof Input>) {
  const [fault, setFault] = useState("");
  const isHydrated = useHydrated();
  const say = (event: FormEvent<HTMLInputElement>) => {
    event.preventDefault();
    const { validity, form } = event.currentTarget;
    setFault(fieldFaults[validity.valueMissing ? "missing" : "malformed"](rest.label));
    if (form?.querySelector(":is(input, select, textarea):invalid") === event.currentTarget)
      event.currentTarget.focus();
  };
  return (
    <Input
      error={fault || error}
      onInput={() => setFault("")}
      onInvalid={say}
      required={required && isHydrated}
      {...rest}
    />
  );
}
