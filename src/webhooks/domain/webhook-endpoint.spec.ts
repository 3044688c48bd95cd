import { addSeconds, DAY } from '../../platform/clock';
import { WebhookEndpoint } from './webhook-endpoint';

const NOW = new Date('2026-01-31T09:30:00.000Z');
const created = (types: string[] | null = null) =>
  WebhookEndpoint.create('t1', 'u1', { url: 'https://example.com/', description: '', types }, NOW);

/** An endpoint that failed so often, evenly until some days after the first failure. */
function failed(count: number, days: number) {
  const endpoint = created();
  const disabled = Array.from({ length: count }, (_, index) =>
    endpoint.fail(addSeconds(NOW, (index / (count - 1)) * days * DAY), false),
  );
  return { endpoint, disabled };
}

describe('a webhook endpoint', () => {
  it('wants its types, or all', () => {
    expect(created(['a.b']).wants('a.b')).toBe(true);
    expect(created(['a.b']).wants('a.c')).toBe(false);
    expect(created().wants('a.c')).toBe(true);
  });

  it.each([
    [10, 5, true],
    [9, 5, false],
    [50, 4.9, false],
    [2, 30, false],
  ])('with %i failures over %d days is disabled: %s', (count, days, expected) => {
    const { endpoint, disabled } = failed(count, days);
    expect(endpoint.isDisabled).toBe(expected);
    expect(disabled.filter(Boolean)).toHaveLength(expected ? 1 : 0);
    if (expected) expect(endpoint.disabledWhy).toBe('failing');
  });

  it('begins to count again after a success', () => {
    const { endpoint } = failed(9, 5);
    endpoint.succeed();
    expect(endpoint.fail(addSeconds(NOW, 6 * DAY), false)).toBe(false);
    expect([endpoint.failures, endpoint.failingSince]).toEqual([1, addSeconds(NOW, 6 * DAY)]);
  });

  it('is disabled at once if it is gone, and only once', () => {
    const endpoint = created();
    expect([endpoint.fail(NOW, true), endpoint.fail(NOW, true)]).toEqual([true, false]);
    expect(endpoint.disabledWhy).toBe('gone');
  });

  it('is disabled and enabled by members, which forgets the failures', () => {
    const { endpoint } = failed(10, 5);
    endpoint.change({ enabled: false }, NOW);
    expect(endpoint.disabledWhy).toBe('failing'); // the first reason stays
    endpoint.change({ enabled: true, types: ['a.b'] }, NOW);
    expect([endpoint.isDisabled, endpoint.failures, endpoint.types]).toEqual([false, 0, ['a.b']]);
    endpoint.change({ enabled: false }, NOW);
    expect([endpoint.disabledWhy, endpoint.types]).toEqual(['user', ['a.b']]);
  });

  it('that an operator stops stays so when it fails, or when a member disables it', () => {
    const endpoint = created();
    endpoint.stopByOperator(NOW);
    expect([endpoint.fail(NOW, true), endpoint.isStoppedByOperator]).toEqual([false, true]);
    endpoint.change({ enabled: false }, NOW);
    expect(endpoint.disabledWhy).toBe('operator');
    endpoint.enable();
    expect([endpoint.isDisabled, endpoint.isStoppedByOperator]).toEqual([false, false]);
  });
});
