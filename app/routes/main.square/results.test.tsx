import { renderToString } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { expect, test } from "vitest";
import { errorSentences } from "~/copy/errors";
import { MoreAhead } from "./results";

test("a page that does not load says why", () => {
  const html = renderToString(
    <MemoryRouter>
      <MoreAhead onMore={() => {}} status={{ code: "network" }} to="/main/square?page=2" />
    </MemoryRouter>,
  );
  expect(html).toContain(errorSentences.network);
});
