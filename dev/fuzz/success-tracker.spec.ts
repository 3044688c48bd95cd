import type { Operation } from './operations';
import type { FuzzAnswer, FuzzRequest } from './request';
import { EXCUSED, isSuccessful, SuccessTracker } from './success-tracker';

describe('The success tracker', () => {
  const [retryJob, finishGoogle] = ['retryJob', 'finishGoogle'].map((id) => ({ id }) as Operation);
  const request = { method: 'POST', path: '/', query: '', headers: {} } satisfies FuzzRequest;
  const response = (status: number, location?: string): FuzzAnswer => ({
    status,
    headers: { location },
    text: '{"error":{"code":"NOT_FOUND"}}',
  });

  it('names an operation that never succeeded, with its error codes', () => {
    const successes = new SuccessTracker();
    successes.note(retryJob, 'owner', request, response(403), true);
    successes.note(retryJob, 'admin', request, response(404), true);
    successes.note(retryJob, 'admin', { ...request, isElsewhere: true }, response(200), false);
    expect(successes.missing([retryJob])).toEqual([
      'retryJob never succeeded; its plain requests: owner 403 NOT_FOUND, admin 404 NOT_FOUND',
    ]);
  });

  it('needs one success of any actor', () => {
    const successes = new SuccessTracker();
    successes.note(retryJob, 'admin', request, response(200), false);
    successes.note(retryJob, 'owner', request, response(403), true);
    expect(successes.missing([retryJob])).toEqual([]);
  });

  it('counts a redirect as a success, unless it has an error', () => {
    expect(isSuccessful(response(302, 'https://provider.example/'))).toBe(true);
    expect(isSuccessful(response(302, 'https://app.example/#error=PROVIDER_DENIED'))).toBe(false);
  });

  it('excuses operations that have a reason, and lists them', () => {
    const successes = new SuccessTracker();
    expect(successes.missing([finishGoogle])).toEqual([]);
    expect(successes.excused([retryJob, finishGoogle])).toEqual([
      `finishGoogle never succeeded: ${EXCUSED.finishGoogle}`,
    ]);
    successes.note(finishGoogle, 'nobody', request, response(302, 'https://app.example/#accessToken=x'), false);
    expect(successes.excused([finishGoogle])).toEqual([]);
  });
});
