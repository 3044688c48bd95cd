import type { ComponentType } from 'react';

/** Asks the operator to confirm that it is them. */
interface Question {
  readonly Dialog: ComponentType<{ answer: (isConfirmed: boolean) => void }>;
  /** Takes the answer, and closes the dialog. */
  readonly answer: (isConfirmed: boolean) => void;
}

let question: Question | undefined;
let asking: Promise<boolean> | undefined;
const listeners = new Set<() => void>();

function setQuestion(next: Question | undefined): void {
  question = next;
  for (const listener of listeners) listener();
}

/** The dialog is loaded when it is needed: most pages do not. */
async function openDialog(): Promise<boolean> {
  const { StepUpDialog: Dialog } = await import('./step-up-dialog');
  return new Promise((resolve) => {
    const answer = (isConfirmed: boolean) => {
      setQuestion(undefined);
      resolve(isConfirmed);
    };
    setQuestion({ Dialog, answer });
  });
}

/** The question that a protected request waits for. The client asks one at a time. */
export const stepUpQuestion = {
  current: (): Question | undefined => question,

  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },

  /** Asks the operator, or waits for the open question. @returns whether they confirmed it */
  ask: (): Promise<boolean> => {
    asking ??= openDialog().finally(() => (asking = undefined));
    return asking;
  },

  /** For pages that are left. */
  dismiss: (): void => question?.answer(false),
};
