import type { SubscriptionActions } from './subscription-actions';
import type { SubscriptionLifecycle } from './subscription-lifecycle';
import type { Schedules } from './subscription-schedules';
import type { State } from './state';

/** What a route's handler has access to. */
export interface Context {
  readonly state: State;
  readonly actions: SubscriptionActions;
  readonly lifecycle: SubscriptionLifecycle;
  readonly schedules: Schedules;
}

/**
 * Handles one route. `params` are validated, so they have the types of Stripe's own typings.
 */
export type Handler = (context: Context, params: never, id: string) => object;

/**
 * Types the parameters of a handler. The table of routes does not need the type.
 */
export function route<Params>(handler: (context: Context, params: Params, id: string) => object): Handler {
  return handler;
}

/** The handlers by method and path. */
export type Routes = Readonly<Record<string, Handler>>;

/**
 * Applies a request to metadata: keys are added or replaced, an empty value removes a key, an empty
 * text removes all.
 */
export function mergedMetadata(
  old: Readonly<Record<string, string>>,
  change: Record<string, string | number | null> | '' | null | undefined,
) {
  if (change === undefined) return old;
  if (change === '' || change === null) return {};
  return Object.fromEntries(
    Object.entries({ ...old, ...change }).filter(([, value]) => value !== '' && value !== null),
  ) as Record<string, string>;
}
