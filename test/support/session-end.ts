import type { Test } from 'supertest';
import { codeOf } from './error-code';
import { eventually } from './eventually';

const PATIENCE_MS = 1000;

/**
 * Asserts that a token is refused with SESSION_ENDED. Revocations are announced to all instances,
 * the one that revokes included, and arrive within a second (docs/contract.md).
 * @param ask a request with the token, repeated until it is refused
 */
export async function expectSessionEnd(ask: () => Test): Promise<void> {
  const refusal = async () => {
    const answer = await ask();
    return answer.status === 401 ? answer : undefined;
  };
  expect(codeOf(await eventually(refusal, 'the end of the session', PATIENCE_MS))).toBe('SESSION_ENDED');
}
