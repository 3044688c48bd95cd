import { useLogout, useNotify } from 'react-admin';
import { errorNoticeOf } from '../error-message';

/** Signs out. If the request fails, the session stays and an error is shown. */
export function useSignOut() {
  const logout = useLogout();
  const notify = useNotify();
  return () => {
    void logout(undefined, undefined, false).catch((error: unknown) => notify(errorNoticeOf(error), { type: 'error' }));
  };
}
