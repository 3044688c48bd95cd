import { createClient, type Claims, type Schemas } from '@tenantry/client';
import { useSyncExternalStore } from 'react';
import { stepUpQuestion } from './step-up/step-up-question';

/**
 * The service that serves this page. The refresh token stays in a cookie that no script can read,
 * the access token in memory.
 */
export const api = createClient({
  baseUrl: '',
  session: { keep: 'cookie' },
  onStepUpRequired: stepUpQuestion.ask,
});

export type Permission = Schemas['PermissionView']['name'];

/** The signed-in user. Another tab's sign-out, switch or refresh shows at once. */
export function useClaims(): Claims | null {
  return useSyncExternalStore(api.session.subscribe, api.session.claims);
}

/**
 * Whether the role of the user holds a permission. It decides what is shown; the API decides what
 * is allowed.
 */
export function useHasPermission(): (permission: Permission) => boolean {
  const claims = useClaims();
  return (permission) => claims?.permissions.includes(permission) ?? false;
}

/**
 * Why a control is disabled that operators may not use while impersonating; undefined if they may,
 * or if nobody impersonates.
 */
export function useImpersonationBlock(): string | undefined {
  return useClaims()?.impersonator_id ? 'Unavailable while impersonating.' : undefined;
}

let hasSignedOut = false;

/** Signs out in this tab, which then does not say that the session has ended. */
export async function signOut(): ReturnType<typeof api.logOut> {
  hasSignedOut = true;
  const answer = await api.logOut();
  hasSignedOut = answer.ok;
  return answer;
}

/** Whether the user has signed out in this tab, and not signed in since. */
export const hasSignedOutHere = (): boolean => hasSignedOut;

/** To be called when a user is signed in. */
export const forgetSignOut = (): void => {
  hasSignedOut = false;
};

/** The operators' panel, where impersonations start; the service serves it beside this page. */
const PANEL = '/admin';

/**
 * Ends the impersonation and returns to the user's page in the panel. The session ends when this
 * page is left, so that no sign-in page is shown in between.
 */
export function stopImpersonating(): void {
  const userId = api.session.claims()?.sub;
  addEventListener('pagehide', () => api.session.leaveImpersonation(), { once: true });
  location.assign(userId ? `${PANEL}/users/${userId}/show` : PANEL);
}
