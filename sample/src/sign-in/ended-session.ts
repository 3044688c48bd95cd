import { useLocation } from 'react-router';

/** The state of the sign-in page after the session of an open page has ended. */
export const ENDED_SESSION = { hasSessionEnded: true };

/** Whether the user was signed out while a page was open, for example from another device. */
export function useHasSessionEnded(): boolean {
  const state = useLocation().state as Partial<typeof ENDED_SESSION> | null;
  return state?.hasSessionEnded === true;
}
