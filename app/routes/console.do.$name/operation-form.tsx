import { Form, useNavigation } from "@remix-run/react";
import { useId } from "react";
import { consoleCopy, consoleValues, consoleWord, consoleWords } from "~/copy/console";
import { CheckedInput } from "~/features/form/checked-input";
import { Button } from "~/ui/button";
import { Select } from "~/ui/fields";
import type { ConsoleOperation } from "~server/contract/console";

interface OperationFormProps {
  operation: ConsoleOperation;
  input: Record<string, string>;
  isFresh: boolean;
  /** The field that was refused, and why. */
  fault: { field: string; text: string } | null;
}

/** The form of an operation: a search, or an act with its reason. */
export function OperationForm({ operation, input, isFresh, fault }: OperationFormProps) {
  const { isRead, fields, needsReason, needsFreshCode, needsSecond } = operation;
  const isPending = useNavigation().state !== "idle";
  const id = useId();
  const shown = fields.filter(({ name }) => name !== "after" && name !== "limit");
  if (isRead && shown.length === 0) return null;
  const faultOf = (name: string) => (fault?.field === name ? fault.text : null);
  return (
    <Form
      className={`card mt-4 grid gap-4 p-5 ${isRead ? "md:grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] md:items-end" : "max-w-[40rem]"}`}
      method={isRead ? "get" : "post"}
    >
      {shown.map((field) => (
        <FormField
          fault={faultOf(field.name)}
          field={field}
          id={`${id}-${field.name}`}
          input={input}
          key={field.name}
          of={operation.name}
        />
      ))}
      {!isRead && (
        <CheckedInput
          autoComplete="off"
          error={faultOf("reason")}
          id={`${id}-reason`}
          label={
            needsReason
              ? (consoleWords[`${operation.name}.reason`] ?? consoleCopy.reason)
              : `${consoleCopy.reason} · ${consoleCopy.optional}`
          }
          maxLength={500}
          name="reason"
          required={needsReason}
        />
      )}
      {needsFreshCode && !isFresh && (
        <CheckedInput
          autoComplete="one-time-code"
          error={faultOf("code-wrong")}
          id={`${id}-code`}
          inputMode="numeric"
          label={consoleCopy.freshCode}
          maxLength={12}
          name="freshCode"
          required
        />
      )}
      {needsSecond && <p className="text-sm text-muted">{consoleCopy.second}</p>}
      <Button className="justify-self-start" kind="primary" pending={isPending} type="submit">
        {isRead ? consoleCopy.search : consoleCopy.submit}
      </Button>
    </Form>
  );
}

interface FormFieldProps {
  /** The operation, whose own word for the field comes first. */
  of: string;
  field: ConsoleOperation["fields"][number];
  id: string;
  input: Record<string, string>;
  fault: string | null;
}

function FormField({ of, field: { name, kind, isRequired, choices }, id, input, fault }: FormFieldProps) {
  const label = `${consoleWord(name, of)}${isRequired ? "" : ` · ${consoleCopy.optional}`}`;
  const value = input[name] ?? "";
  if (kind === "flag")
    return (
      <label className="flex min-h-[44px] items-center gap-2 text-sm">
        <input className="h-5 w-5" defaultChecked={value === "true"} name={name} type="checkbox" value="true" />
        {consoleWord(name)}
      </label>
    );
  if (kind === "choice")
    return (
      <div>
        <label className="mb-1.5 block text-sm font-semibold" htmlFor={id}>
          {label}
        </label>
        <Select defaultValue={value} id={id} name={name} required={isRequired}>
          {!isRequired && <option value="">{consoleCopy.any}</option>}
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {consoleValues[choice] ?? choice}
            </option>
          ))}
        </Select>
      </div>
    );
  return (
    <CheckedInput
      autoComplete="off"
      defaultValue={value}
      error={fault}
      id={id}
      inputMode={kind === "yuan" ? "decimal" : kind === "count" ? "numeric" : undefined}
      label={label}
      name={name}
      required={isRequired}
      type={kind === "day" ? "date" : "text"}
    />
  );
}
