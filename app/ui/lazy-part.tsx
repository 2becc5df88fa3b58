import { Component, type ComponentType, createElement, lazy, type ReactNode, useCallback, useState } from "react";
import { LoadFailure, type PartFailure } from "./load-failure";

class PartLoadError extends Error {}

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** What shows instead of a part that did not load. */
type ShowFailure<Props> = (props: Props, failure: PartFailure) => ReactNode;

const loads: Array<() => Promise<unknown>> = [];

/**
 * Like React's `lazy`, but a part whose code does not load leaves the page alone: a sentence with a retry stands in its
 * place, or what `showFailure` returns. The caller keeps its `Suspense` for the time of loading.
 */
export function lazyPart<Props extends object>(
  load: Load<Props>,
  showFailure: ShowFailure<Props> = (_props, failure) => <LoadFailure failure={failure} />,
): ComponentType<Props> {
  const loadOrThrow = () =>
    load().catch((cause: unknown) => {
      throw new PartLoadError("a part of the page did not load", { cause });
    });
  // React's type knows refs, which these parts do not take.
  const prepare = () => lazy(loadOrThrow) as unknown as ComponentType<Props>;
  let prepared = prepare();
  // React's lazy keeps a failed load for ever.
  const renew = () => {
    prepared = prepare();
  };
  loads.push(load);
  return function LazyPart(props: Props) {
    const [part, setPart] = useState(() => ({ type: prepared, loads: 1 }));
    const [opener] = useState(() => (typeof document === "undefined" ? null : document.activeElement));
    const retry = useCallback(() => setPart((now) => ({ type: prepared, loads: now.loads + 1 })), []);
    return (
      <PartBoundary
        failure={() => showFailure(props, { retry, count: part.loads, opener })}
        key={part.loads}
        onLoadError={renew}
      >
        {createElement(part.type, props)}
      </PartBoundary>
    );
  };
}

interface BoundaryProps {
  children: ReactNode;
  failure(): ReactNode;
  onLoadError(): void;
}

/** Catches a failed load and nothing else: an error of the part itself is the page's. */
class PartBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state = { error: null };
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override componentDidCatch(error: unknown) {
    if (error instanceof PartLoadError) this.props.onLoadError();
  }
  override render() {
    const error: unknown = this.state.error;
    if (error === null) return this.props.children;
    if (error instanceof PartLoadError) return this.props.failure();
    throw error;
  }
}

let loadedAhead = 0;
let isLoadingAhead = false;

/**
 * Loads the code of every part that the page may need next, one at a time while the browser is idle, so that a later tap
 * needs no network. Resolves when all are there or one failed; later calls go on from there.
 */
export async function loadPartsAhead(whenIdle: () => Promise<void>): Promise<void> {
  if (isLoadingAhead) return;
  isLoadingAhead = true;
  try {
    for (let load = loads[loadedAhead]; load; load = loads[loadedAhead]) {
      await whenIdle();
      await load();
      loadedAhead++;
    }
  } catch {
    // A tap tries again and says so.
  } finally {
    isLoadingAhead = false;
  }
}
