import { worksCopy } from "~/copy/works";
import { Card } from "~/ui/card";
import type { CallData } from "~server/contract/calls/table";

const words = worksCopy.storage;

/** What the account's works and uploads take, and how long they are kept. */
export function Storage({ storage }: { storage: CallData<"storage"> | "failed" }) {
  return (
    <section aria-labelledby="storage">
      <Card className="grid gap-3 p-5 md:p-6">
        <h2 className="font-song text-xl font-semibold" id="storage">
          {words.heading}
        </h2>
        {storage === "failed" ? <p className="text-muted">{words.failed}</p> : <Amounts {...storage} />}
      </Card>
    </section>
  );
}

function Amounts({ works, files, isMore, projectDays, takeDays, unusedDays }: CallData<"storage">) {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return (
    <>
      <p>{bytes > 0 ? words.total(works, bytes, isMore) : words.nothing}</p>
      {files.length > 0 && (
        <ul className="tabular flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
          {files.map((file) => (
            <li key={file.kind}>{words.files(words.kinds[file.kind], file.count, file.bytes)}</li>
          ))}
        </ul>
      )}
      <h3 className="mt-1 font-semibold">{words.keeping}</h3>
      <p className="text-sm text-muted">{words.kept}</p>
      <p className="text-sm text-muted">{words.days(projectDays, takeDays, unusedDays)}</p>
    </>
  );
}
