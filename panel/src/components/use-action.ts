import { ApiError, type Answer } from '@tenantry/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { errorNoticeOf } from '../error-message';
import { refetch } from '../refetch-queries';

/** How long an error stays, so that it can be read and copied. */
const PROBLEM_MS = 12_000;

interface ActionOptions {
  /** Navigates away after a success, if the record of the page is gone. */
  readonly leave?: () => void;
  /** Shows the error of a refusal; by default a toast does. */
  readonly fail?: (problem: unknown) => void;
}

/** Runs an operation of the API, reports the result in a toast and refetches the page's data. */
export function useAction() {
  const [isBusy, setIsBusy] = useState(false);
  const notify = useNotify();
  const queries = useQueryClient();
  const toast = (problem: unknown) =>
    notify(errorNoticeOf(problem), { type: 'error', autoHideDuration: PROBLEM_MS, multiLine: true });
  /**
   * @param work the request
   * @param tell the message of a success
   * @returns whether it succeeded
   */
  const act = async <Data, Code extends string>(
    work: () => Promise<Answer<Data, Code>>,
    tell: (data: Data) => string,
    { leave, fail = toast }: ActionOptions = {},
  ): Promise<boolean> => {
    setIsBusy(true);
    const answer = await work();
    if (answer.ok) notify(tell(answer.data), { type: 'success' });
    else fail(new ApiError(answer.error));
    setIsBusy(false);
    if (answer.ok && leave) leave();
    else void refetch(queries);
    return answer.ok;
  };
  return { act, isBusy };
}
