import { useSearchParams } from 'react-router';

const KEY = 'tenantry.sample.return';

/**
 * Where somebody wanted to go who has to sign in first: a path of this page, never an address
 * elsewhere.
 */
export function useReturnPath(): string {
  const to = useSearchParams()[0].get('to');
  return to?.startsWith('/') && !to.startsWith('//') ? to : '/';
}

/**
 * A provider sends the browser back to the start page: until then this tab remembers where to go
 * on.
 */
export const saveReturnPath = (to: string) => attempt(() => sessionStorage.setItem(KEY, to));

/** @returns undefined where nothing was kept */
export function takeReturnPath(): string | undefined {
  const to = attempt(() => sessionStorage.getItem(KEY)) ?? undefined;
  attempt(() => sessionStorage.removeItem(KEY));
  return to;
}

/** Where the browser keeps nothing, one lands on the first page. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
