import type { SubscriptionActions } from './subscription-actions';
import type { SubscriptionLifecycle } from './subscription-lifecycle';
import type { State } from './state';

/** What a route works with. */
export interface Context {
  readonly state: State;
  readonly actions: SubscriptionActions;
  readonly lifecycle: SubscriptionLifecycle;
}

/**
 * Answers one route. `params` have passed the check against the schema, so that they are what the
 * processor's own typings say.
 */
export type Handler = (context: Context, params: never, id: string) => object;

/**
 * A route's handler with the type of its parameters, which for the table of routes does not matter.
 */
export function route<Params>(handler: (context: Context, params: Params, id: string) => object): Handler {
  return handler;
}

export type Routes = Readonly<Record<string, Handler>>;

/**
 * Metadata as changed by a request: keys are added or replaced, an empty value takes one out, an
 * empty text all.
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
