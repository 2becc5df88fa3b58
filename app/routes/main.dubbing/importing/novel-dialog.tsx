import { importCopy } from "~/copy/dubbing";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import type { Importing } from "./use-importing";

/** Asks whether the people of a novel get voices of their own. */
export function NovelDialog({ question }: { question: NonNullable<Importing["novelQuestion"]> }) {
  const { people, unsure, choose, cancel } = question;
  const words = importCopy.novel;
  return (
    <Dialog closeLabel={importCopy.close} description={words.hint(unsure)} onClose={cancel} title={words.title}>
      <ul className="mt-4 flex flex-wrap gap-2">
        {people.slice(0, peopleShown).map(({ name, lines }) => (
          <li className="rounded-full bg-wash px-3 py-1 text-sm" key={name}>
            {name} <span className="tabular text-muted">{importCopy.lines(lines)}</span>
          </li>
        ))}
        {people.length > peopleShown && (
          <li className="px-1 py-1 text-sm text-muted">{words.others(people.length - peopleShown)}</li>
        )}
      </ul>
      <div className="mt-5 flex flex-col gap-2.5 md:flex-row-reverse">
        <Button className="flex-1" kind="primary" onClick={() => choose("cast")}>
          {words.cast}
        </Button>
        <Button className="flex-1" onClick={() => choose("narrator")}>
          {words.narrator}
        </Button>
      </div>
    </Dialog>
  );
}

const peopleShown = 12;
