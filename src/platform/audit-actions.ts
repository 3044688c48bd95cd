import type { AnyClass } from './any-class';
import { DomainEvent, UnrecordedEvent } from './domain-events';

/** Actions that a statement records without an event: a sign-in, and `npm run admin`. */
export const ACTIONS_WITHOUT_EVENT = {
  signedIn: 'user.signed-in',
  adminGranted: 'user.admin-granted',
  adminRevoked: 'user.admin-revoked',
} as const;

const isEvent = ({ prototype }: AnyClass): boolean => prototype instanceof DomainEvent;
const isUnrecorded = ({ prototype }: AnyClass): boolean => prototype instanceof UnrecordedEvent;
const actionOf = (event: AnyClass) => (event as { readonly action?: string }).action;

/** All actions that the audit log records, sorted. @param classes the classes of the source */
export function auditActions(classes: readonly AnyClass[]): string[] {
  const recorded = classes.filter((value) => isEvent(value) && !isUnrecorded(value));
  const actions = recorded.flatMap((event) => actionOf(event) ?? []);
  return [...new Set([...actions, ...Object.values(ACTIONS_WITHOUT_EVENT)])].sort();
}

/** One line for each event without an action, unless it is the base of others. */
export function eventMistakes(classes: readonly AnyClass[]): string[] {
  const isBase = (value: AnyClass) => classes.some(({ prototype }) => prototype instanceof value);
  return classes
    .filter((value) => isEvent(value) && actionOf(value) === undefined && !isBase(value))
    .map(({ name }) => `${name} has no action. Declare one: static readonly action = 'noun.verbed'.`);
}
