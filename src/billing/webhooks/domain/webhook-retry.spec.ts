import { webhookRetryPause } from './webhook-retry';

describe('a failed webhook event', () => {
  it.each([
    [1, 60],
    [2, 120],
    [7, 3840],
    [8, undefined],
    [9, undefined],
  ])('after %d attempts is retried in %s seconds', (attempts, seconds) => {
    expect(webhookRetryPause(attempts)).toBe(seconds);
  });

  it('waits for an operator after about two hours', () => {
    const pauses = Array.from({ length: 7 }, (_, i) => webhookRetryPause(i + 1)!);
    expect(pauses.reduce((sum, pause) => sum + pause) / 3600).toBeCloseTo(2.1, 1);
  });
});
