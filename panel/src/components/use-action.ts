import { ApiError, type Answer } from '@tenantry/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { errorNoticeOf } from '../error-message';

/** How long a notice stays that has to be read, and perhaps copied. */
const PROBLEM_MS = 12_000;

/**
 * Does what an operator asked for, tells what came of it, and has the page read anew what it shows.
 */
export function useAction() {
  const [isBusy, setIsBusy] = useState(false);
  const notify = useNotify();
  const queries = useQueryClient();
  /**
   * @param tell the sentence for what it came to; leave: goes elsewhere when what the page shows is
   * no more.
   * @returns whether it was done
   */
  const act = async <Data, Code extends string>(
    work: () => Promise<Answer<Data, Code>>,
    tell: (data: Data) => string,
    leave?: () => void,
  ): Promise<boolean> => {
    setIsBusy(true);
    const answer = await work();
    if (answer.ok) notify(tell(answer.data), { type: 'success' });
    else
      notify(errorNoticeOf(new ApiError(answer.error)), {
        type: 'error',
        autoHideDuration: PROBLEM_MS,
        multiLine: true,
      });
    setIsBusy(false);
    if (answer.ok && leave) leave();
    else void queries.invalidateQueries();
    return answer.ok;
  };
  return { act, isBusy };
}
