import { writeDatesFor } from '../date-format';
import { useMe } from '../queries';

/**
 * Writes dates as the user chose in their account.
 * @returns the choice as a key: a page that was drawn before it is drawn again
 */
export function useChosenDates(): string {
  const { language = null, timeZone = null } = useMe().data?.user ?? {};
  writeDatesFor({ language, timeZone });
  return `${language} ${timeZone}`;
}
