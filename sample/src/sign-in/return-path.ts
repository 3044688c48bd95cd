import { useSearchParams } from 'react-router';
import { tabStorage } from '../tab-storage';

const stored = tabStorage('return');

/** The page to open after signing in: a path of this client, never an address elsewhere. */
export function useReturnPath(): string {
  const to = useSearchParams()[0].get('to');
  return to?.startsWith('/') && !to.startsWith('//') ? to : '/';
}

/**
 * A provider sends the browser back to the start page. Until then, this tab keeps the page to open.
 */
export const saveReturnPath = (to: string): void => stored.write(to);

/** @returns undefined if none was saved */
export function takeReturnPath(): string | undefined {
  const to = stored.read();
  stored.remove();
  return to;
}
