import { AsyncResource } from 'node:async_hooks';

type Bound = (...given: unknown[]) => unknown;

/**
 * Replaces `AsyncResource.bind`, which NestJS calls twice per request, by one without the
 * deprecated property `asyncResource` that Node defines on each bound function
 * (docs/decisions/0061-bound-functions.md). Does nothing on versions without that property.
 */
export function bindWithoutProperty(): void {
  if (
    !Object.hasOwn(
      AsyncResource.bind(() => undefined),
      'asyncResource',
    )
  )
    return;
  const bind = (run: Bound, type?: string, receiver?: unknown): Bound => {
    const resource = new AsyncResource(type ?? (run.name || 'bound-anonymous-fn'));
    const bound = function (this: unknown, ...given: unknown[]): unknown {
      return resource.runInAsyncScope(run, receiver === undefined ? this : receiver, ...given);
    };
    return Object.defineProperty(bound, 'length', { value: run.length, configurable: true });
  };
  AsyncResource.bind = bind as typeof AsyncResource.bind;
}
