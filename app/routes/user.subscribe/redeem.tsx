import { useRevalidator } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import { callApi, refusalOf } from "~/call";
import { accountCopy } from "~/copy/account";
import { sentenceFor } from "~/copy/errors";
import { subscribePageCopy } from "~/copy/subscribe";
import { CheckedInput } from "~/features/form/checked-input";
import { notify } from "~/features/toasts/notify";
import { useHasCall } from "~/state/capabilities";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";

const copy = subscribePageCopy.redeem;

/** Spends a redeem code; what it gave then stands in the membership and the ledger. */
export function Redeem() {
  const { revalidate } = useRevalidator();
  const canRedeem = useHasCall("redeem");
  const [code, setCode] = useState("");
  const [fault, setFault] = useState("");
  const [isPending, setPending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    setPending(true);
    setFault("");
    try {
      const { tier, days, characters } = await callApi("redeem", { code });
      const text = tier ? copy.days(accountCopy.tiers[tier], days) : copy.characters(characters);
      notify({ kind: "success", text });
      setCode("");
      revalidate();
    } catch (error) {
      setFault(sentenceFor(refusalOf(error)));
    }
    setPending(false);
  };
  if (!canRedeem) return null;
  return (
    <Card className="p-5 md:px-6">
      <form className="max-w-[26rem]" onSubmit={(event) => void submit(event)}>
        <CheckedInput
          autoCapitalize="characters"
          autoComplete="off"
          error={fault || null}
          id="redeem"
          label={copy.label}
          maxLength={64}
          onChange={(event) => setCode(event.target.value)}
          required
          spellCheck={false}
          trailing={
            <Button className="shrink-0" pending={isPending} type="submit">
              {copy.submit}
            </Button>
          }
          value={code}
        />
      </form>
    </Card>
  );
}
