import { Alert, CircularProgress } from '@mui/material';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { isOutage } from '../error-message';

/**
 * Shown while the service cannot be reached; the page keeps its data and reloads it later.
 */
export const ReconnectingNotice = () => {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback((changed: () => void) => cache.subscribe(changed), [cache]);
  const isReconnecting = useSyncExternalStore(subscribe, () =>
    cache.getAll().some(({ state }) => state.fetchStatus === 'fetching' && isOutage(state.fetchFailureReason)),
  );
  if (!isReconnecting) return null;
  return (
    <Alert severity="warning" icon={<CircularProgress color="inherit" size={18} aria-hidden />} sx={{ mb: 2 }}>
      Reconnecting… The service cannot be reached. Data may be out of date.
    </Alert>
  );
};
