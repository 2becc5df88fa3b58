import { Form, useNavigation } from "@remix-run/react";
import { keysCopy } from "~/copy/developers";
import { formatMoment, joinDetails } from "~/copy/format";
import { CheckedInput } from "~/features/form/checked-input";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Fault } from "~/ui/feedback";
import type { CallData } from "~server/contract/calls/table";

const copy = keysCopy.webhook;

type Webhook = CallData<"webhook">;

/** The address for events, and the latest of them. */
export function WebhookSection({ webhook: { url, deliveries }, once, fault }: WebhookSectionProps) {
  const act = useNavigation().formData?.get("act");
  return (
    <section aria-labelledby="webhook">
      <h2 className="mb-3 font-song text-xl font-semibold" id="webhook">
        {copy.heading}
      </h2>
      <Card className="grid gap-4 p-5 md:p-6">
        <p className="text-sm text-muted">{copy.sentence}</p>
        <Form className="grid gap-4" method="post" preventScrollReset>
          <input name="once" type="hidden" value={once} />
          <CheckedInput
            autoComplete="off"
            defaultValue={url}
            id="webhook-url"
            inputMode="url"
            key={url}
            label={copy.url}
            maxLength={2000}
            name="url"
            placeholder={copy.urlHint}
            required
          />
          <Fault>{fault}</Fault>
          <Button
            className="justify-self-start"
            name="act"
            pending={act === "webhook-put"}
            type="submit"
            value="webhook-put"
          >
            {copy.save}
          </Button>
        </Form>
        {url && (
          <Form className="flex flex-wrap gap-3" method="post" preventScrollReset>
            <Button name="act" pending={act === "webhook-test"} type="submit" value="webhook-test">
              {copy.test}
            </Button>
            <Button kind="quiet" name="act" pending={act === "webhook-remove"} type="submit" value="webhook-remove">
              {copy.remove}
            </Button>
          </Form>
        )}
        {deliveries.length > 0 && <Deliveries deliveries={deliveries} />}
      </Card>
    </section>
  );
}

interface WebhookSectionProps {
  webhook: Webhook;
  once: string;
  fault: string | undefined;
}

function Deliveries({ deliveries }: Pick<Webhook, "deliveries">) {
  return (
    <div className="border-t border-line pt-4">
      <h3 className="mb-2 text-sm font-semibold">{copy.deliveries}</h3>
      <ul className="grid gap-2 text-sm">
        {deliveries.map(({ deliveryId, event, state, attempts, outcome, createdAt }) => (
          <li className="flex flex-wrap justify-between gap-x-4" key={deliveryId}>
            <code>{event}</code>
            <span className={`tabular ${state === "failed" ? "text-seal" : "text-muted"}`}>
              {joinDetails(copy.states[state], outcome, copy.attempts(attempts), formatMoment(createdAt))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
