import { useState } from "react";
import { voicePickerCopy as words } from "~/copy/square";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Notice } from "~/ui/notice";
import { SearchInput } from "~/ui/search-input";
import { Tabs } from "~/ui/tabs";
import { Shelf } from "./shelf";
import type { VoicePickerProps, VoiceShelf } from "./voice";

const tabs = (["own", "square"] as const).map((value) => ({ value, label: words.tabs[value] }));

/** A dialog, on phones a sheet, to choose a voice: own roles first, the square for accounts without roles. Import it lazily. */
export function VoicePicker({ onClose, isLoggedIn, onLogIn, ...rest }: VoicePickerProps) {
  const [chosenShelf, setShelf] = useState<VoiceShelf | null>(isLoggedIn ? null : "square");
  const shelf = chosenShelf ?? "own";
  const [keyword, setKeyword] = useState("");
  return (
    <Dialog closeLabel={words.close} onClose={onClose} title={words.title} width="tall">
      <div className="flex min-h-0 flex-1 flex-col gap-3 pt-3">
        <SearchInput
          className="shrink-0"
          label={words.search}
          onChange={(event) => setKeyword(event.target.value)}
          value={keyword}
        />
        <Tabs<VoiceShelf> label={words.tabsLabel} onChange={setShelf} tabs={tabs} value={shelf}>
          {shelf === "own" && !isLoggedIn ? (
            <Notice isBare sentence={words.loginFirst}>
              <Button kind="primary" onClick={onLogIn}>
                {words.login}
              </Button>
            </Notice>
          ) : (
            <Shelf
              isSkippedWhenEmpty={chosenShelf === null}
              keyword={keyword.trim()}
              key={shelf}
              onSquare={() => setShelf("square")}
              shelf={shelf}
              {...rest}
            />
          )}
        </Tabs>
      </div>
    </Dialog>
  );
}
