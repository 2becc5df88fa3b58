import { useSyncExternalStore } from "react";

/** Every word has a default: a warning that asks whether one is sure. */
export interface Question {
  title?: string;
  text?: string;
  confirm?: string;
  cancel?: string;
}

interface Open extends Question {
  answer(isConfirmed: boolean): void;
}

const watchers = new Set<() => void>();
let open: Open | null = null;

function set(next: Open | null) {
  open = next;
  for (const watch of watchers) watch();
}

/** Asks in the generic confirm dialog. A question that another one displaces counts as cancelled. */
export function askToConfirm(question: Question = {}): Promise<boolean> {
  open?.answer(false);
  return new Promise((resolve) => {
    const answer = (isConfirmed: boolean) => {
      set(null);
      resolve(isConfirmed);
    };
    set({ ...question, answer });
  });
}

/** Answers the question on the screen with no. */
export const cancelQuestion = () => open?.answer(false);

const subscribe = (watch: () => void) => {
  watchers.add(watch);
  return () => {
    watchers.delete(watch);
  };
};

/** The question on the screen, null without one. */
export const useQuestion = () =>
  useSyncExternalStore(
    subscribe,
    () => open,
    () => null,
  );
