import type { ComponentType } from 'react';

/** Asks the user to confirm that it is them. */
interface Question {
  /** @param answer takes the answer, and closes the dialog */
  readonly Dialog: ComponentType<{ answer: (isConfirmed: boolean) => void }>;
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
  const { default: Dialog } = await import('./step-up-dialog');
  if (listeners.size === 0) return false;
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

  /**
   * Asks the user, or waits for the question that is open.
   * @returns whether they confirmed it; false where no page shows the dialog
   */
  ask: (): Promise<boolean> => {
    asking ??= openDialog().finally(() => (asking = undefined));
    return asking;
  },

  /** For pages that are left. */
  dismiss: (): void => question?.answer(false),
};
