import { type FormEvent, useState } from "react";
import { callApi, refusalOf } from "~/call";
import { sentenceFor } from "~/copy/errors";
import { invoiceCopy as copy } from "~/copy/invoice";
import { CheckedInput } from "~/features/form/checked-input";
import { notify } from "~/features/toasts/notify";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Fault } from "~/ui/feedback";
import type { OrderRow } from "~server/bff/checkout.server";
import { taxNumberPattern, toTaxNumber } from "~server/contract/checkout";

interface InvoiceDialogProps {
  orderId: string;
  /** What the payer has written last. */
  last: OrderRow["invoice"];
  onAsked(): void;
  onClose(): void;
}

const buyers = ["person", "company"] as const;

/** Asks for the invoice of a paid order. */
export function InvoiceDialog({ orderId, last, onAsked, onClose }: InvoiceDialogProps) {
  const [details, setDetails] = useState(() => toDetails(last));
  const [fault, setFault] = useState("");
  const [isTaxNumberWrong, setTaxNumberWrong] = useState(false);
  const [isPending, setPending] = useState(false);
  const change = (changed: Partial<typeof details>) => setDetails((now) => ({ ...now, ...changed }));
  const isCompany = details.buyer === "company";
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    setFault("");
    const isWrong = isCompany && !taxNumberPattern.test(toTaxNumber(details.taxNumber));
    setTaxNumberWrong(isWrong);
    if (isWrong) return document.getElementById("invoice-tax-number")?.focus();
    setPending(true);
    try {
      await callApi("invoiceAsk", { orderId, ...details, taxNumber: isCompany ? details.taxNumber : "" });
      notify({ kind: "success", text: copy.done });
      onAsked();
      onClose();
    } catch (error) {
      setFault(sentenceFor(refusalOf(error)));
      setPending(false);
    }
  };
  return (
    <Dialog closeLabel={copy.close} description={copy.sentence} onClose={onClose} title={copy.title}>
      <form className="mt-5 grid gap-4" onSubmit={(event) => void submit(event)}>
        <Buyers chosen={details.buyer} onChoose={(buyer) => change({ buyer })} />
        <CheckedInput
          autoComplete={isCompany ? "organization" : "name"}
          id="invoice-title"
          label={copy.name}
          maxLength={100}
          onChange={(event) => change({ title: event.target.value })}
          required
          value={details.title}
        />
        {isCompany && (
          <CheckedInput
            autoCapitalize="characters"
            autoComplete="off"
            error={isTaxNumberWrong ? copy.taxNumberFault : null}
            id="invoice-tax-number"
            label={copy.taxNumber}
            maxLength={30}
            onChange={(event) => change({ taxNumber: event.target.value })}
            required
            spellCheck={false}
            value={details.taxNumber}
          />
        )}
        <CheckedInput
          autoComplete="email"
          id="invoice-email"
          label={copy.email}
          maxLength={254}
          onChange={(event) => change({ email: event.target.value })}
          required
          type="email"
          value={details.email}
        />
        {fault && <Fault>{fault}</Fault>}
        <Button kind="primary" pending={isPending} type="submit">
          {copy.submit}
        </Button>
      </form>
    </Dialog>
  );
}

interface BuyersProps {
  chosen: (typeof buyers)[number];
  onChoose(buyer: (typeof buyers)[number]): void;
}

const Buyers = ({ chosen, onChoose }: BuyersProps) => (
  <fieldset className="flex gap-6">
    <legend className="mb-1.5 text-sm font-semibold">{copy.buyer}</legend>
    {buyers.map((buyer) => (
      <label className="flex min-h-[44px] items-center gap-2" key={buyer}>
        <input checked={chosen === buyer} name="buyer" onChange={() => onChoose(buyer)} type="radio" value={buyer} />
        {copy.buyers[buyer]}
      </label>
    ))}
  </fieldset>
);

function toDetails(last: OrderRow["invoice"]) {
  const { buyer = "person", title = "", taxNumber = "", email = "" } = last ?? {};
  return { buyer, title, taxNumber, email };
}
