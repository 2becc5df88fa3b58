import { afterAll, beforeAll } from "vitest";
import type { UpstreamConfig } from "~server/upstream/compose/services";
import type { TestEngine } from "./database";
import { openTestUpstream, type TestUpstream } from "./upstream";

/** An upstream with a worker for the tests of the calling `describe`; its values are set once they run. */
export function setUpUpstream(engine: TestEngine): TestUpstream {
  const shared = {} as TestUpstream;
  beforeAll(async () => {
    const opened = await openTestUpstream(engine);
    opened.services.startWorker();
    Object.assign(shared, opened, {
      async restart(change: Partial<UpstreamConfig>) {
        await opened.restart(change);
        shared.services = opened.services;
      },
    });
  });
  afterAll(() => shared.close());
  return shared;
}
