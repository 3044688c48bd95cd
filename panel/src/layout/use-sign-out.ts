import { useLogout, useNotify } from 'react-admin';
import { errorNoticeOf } from '../error-message';

/** Ends the session. Where the service cannot be told, nobody is signed out, and that is said. */
export function useSignOut() {
  const logout = useLogout();
  const notify = useNotify();
  return () =>
    void logout(undefined, undefined, false).catch((error: unknown) => notify(errorNoticeOf(error), { type: 'error' }));
}
