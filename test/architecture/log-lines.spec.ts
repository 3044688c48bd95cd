import { logCalls, logCallsIn, type LogCall } from './log-calls';

/** Log calls without a stable event, or whose message ends with a period: `file:line`. */
const wrongLogCalls = (calls: readonly LogCall[]): string[] =>
  calls.filter(({ event, message }) => event === undefined || message?.endsWith('.')).map(({ place }) => place);

describe('Log lines', () => {
  it('have a stable event, and a message without a final period', () => {
    const calls = logCalls();
    expect(calls.length).toBeGreaterThan(30);
    expect(wrongLogCalls(calls)).toEqual([]);
  });

  it.each([
    ["log.info('Started');"],
    ["this.log.warn({ err: error }, 'Failed');"],
    ["log[level]({ event: 'request' }, 'Completed');"],
    ["this.log.error({ event: 'request.failed' }, 'Failed.');"],
  ])('would be reported if written as %s', (text) =>
    expect(wrongLogCalls(logCallsIn('a.ts', text))).toEqual(['a.ts:1']),
  );
});
