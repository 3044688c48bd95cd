import type { Schemas } from '@tenantry/client';
import { FRONTEND } from '../frontend-address';
import { stepUpQuestion } from '../step-up/step-up-question';

type Impersonation = Pick<Schemas['ImpersonationView'], 'accessToken' | 'expiresIn'>;

/**
 * Opens a tab for the web client. It must be called while a click is handled, before anything is
 * awaited: browsers block windows that are opened later.
 * @returns undefined if the browser blocked it
 */
export function openImpersonationTab() {
  let tab = emptyTab();
  if (!tab) return undefined;
  // It would cover the question whether it is the operator; the answer is a click again.
  const stopClosing = stepUpQuestion.subscribe(() => tab?.close());
  return {
    /**
     * The token is in the fragment, which no server sees.
     * @returns false if the browser blocked the tab
     */
    show: ({ accessToken, expiresIn }: Impersonation): boolean => {
      stopClosing();
      if (tab?.closed) tab = emptyTab();
      const fragment = new URLSearchParams({ accessToken, expiresIn: String(expiresIn) });
      tab?.location.replace(`${FRONTEND}#${fragment.toString()}`);
      return tab !== null;
    },
    close: () => {
      stopClosing();
      tab?.close();
    },
  };
}

/** The client's page gets no handle on the panel. */
function emptyTab(): Window | null {
  const tab = window.open('', '_blank');
  if (tab) tab.opener = null;
  return tab;
}
