import { createStore, useStore } from "~/ui/store";

/** Texts of the confirm dialog; each has a default. */
export interface Question {
  title?: string;
  text?: string;
  confirm?: string;
  cancel?: string;
}

interface OpenQuestion extends Question {
  answer(isConfirmed: boolean): void;
}

const question = createStore<OpenQuestion | null>(null);

/** Opens the confirm dialog. A question that another one replaces resolves to false. */
export function askToConfirm(texts: Question = {}): Promise<boolean> {
  question.get()?.answer(false);
  return new Promise((resolve) => {
    const answer = (isConfirmed: boolean) => {
      question.set(null);
      resolve(isConfirmed);
    };
    question.set({ ...texts, answer });
  });
}

/** Answers the open question with no. */
export const cancelQuestion = () => question.get()?.answer(false);

/** The open question; null without one. */
export const useQuestion = () => useStore(question);
