import { QueryClientProvider } from '@tanstack/react-query';
import { useState, useSyncExternalStore, type ReactNode } from 'react';
import { createQueryClient } from '../query-client';
import { api } from '../api';

/**
 * A query cache per user. After another operator signs in, also in another tab, the pages start
 * with an empty cache: no data of the previous operator is shown.
 */
export const PerUserQueryClient = ({ children }: { children: ReactNode }) => {
  const sub = useSyncExternalStore(api.session.subscribe, () => api.session.claims()?.sub);
  const [owner, setOwner] = useState(sub);
  // Kept after signing out: until the sign-in page is shown, requests would fail.
  if (sub && sub !== owner) setOwner(sub);
  return <Read key={owner}>{children}</Read>;
};

const Read = ({ children }: { children: ReactNode }) => {
  const [queries] = useState(createQueryClient);
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>;
};
