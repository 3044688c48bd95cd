import type { Schemas } from '@tenantry/client';

const FRONTEND = document.querySelector<HTMLMetaElement>('meta[name="frontend-url"]')?.content ?? '';

type Impersonation = Pick<Schemas['ImpersonationView'], 'accessToken' | 'expiresIn'>;

/**
 * Opens a tab for the web client. It must be called while a click is handled, before anything is
 * awaited: browsers block windows that are opened later.
 * @returns undefined if the browser blocked it
 */
export function openImpersonationTab() {
  const tab = window.open('', '_blank');
  if (!tab) return undefined;
  tab.opener = null; // the client's page gets no handle on the panel
  return {
    /** The token is in the fragment, which no server sees. */
    show: ({ accessToken, expiresIn }: Impersonation) => {
      const fragment = new URLSearchParams({ accessToken, expiresIn: String(expiresIn) });
      tab.location.replace(`${FRONTEND}#${fragment.toString()}`);
    },
    close: () => tab.close(),
  };
}
