import { QueryClientProvider } from '@tanstack/react-query';
import { useState, useSyncExternalStore, type ReactNode } from 'react';
import { createQueryClient } from '../query-client';
import { api } from '../api';

/**
 * What belongs to the operator who is signed in. With another one, in another tab, it begins anew:
 * nothing of the one is ever shown to the other.
 */
export const PerUserQueryClient = ({ children }: { children: ReactNode }) => {
  const sub = useSyncExternalStore(api.session.subscribe, () => api.session.claims()?.sub);
  const [owner, setOwner] = useState(sub);
  // Not when nobody is: until the sign-in page is there, what is shown would ask in vain.
  if (sub && sub !== owner) setOwner(sub);
  return <Read key={owner}>{children}</Read>;
};

const Read = ({ children }: { children: ReactNode }) => {
  const [queries] = useState(createQueryClient);
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>;
};
