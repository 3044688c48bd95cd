import { Reflector } from '@nestjs/core';
import type { Actor } from './actor';
import type { Permission } from '../../platform/permissions';

/** Who may use a route. */
export type Access =
  | { readonly for: 'anyone' }
  | { readonly for: 'signed-in' }
  | { readonly for: 'permission'; readonly permission: Permission }
  | { readonly for: 'owner' }
  | { readonly for: 'admin' };

/** The built-in role that exactly one member of each tenant has. */
export const OWNER = 'Owner';
/** The requirement of routes for the Owner, as the API document states it. */
export const OWNER_NEEDED = 'Owner of the active tenant';
/**
 * Extension of the API document: what a route requires beyond a token. Such a route can return
 * FORBIDDEN.
 */
export const NEEDS = 'x-needs';
/** Extension of the API document: the route is refused during impersonation. */
export const NOT_WHILE_IMPERSONATING = 'x-not-while-impersonating';
/** Extension of the API document: the session of the access token must not have ended. */
export const LIVE_SESSION = 'x-live-session';
/** Extension of the API document: how recent the proof of the identity must be, in minutes. */
export const FRESH = 'x-fresh-minutes';

/** Extension of the API document: the route is for people, although it requires a permission. */
export const PEOPLE_ONLY = 'x-people-only';

/** Extension of the API document: the route acts in the active tenant, without a permission. */
export const IN_TENANT = 'x-in-tenant';

export const DeclaredAccess = Reflector.createDecorator<Access>();
export const ForPeople = Reflector.createDecorator<true>();
export const ForTenant = Reflector.createDecorator<true>();
export const NeedsLiveSession = Reflector.createDecorator<true>();
export const FreshMinutes = Reflector.createDecorator<number>();

/** The access that a route or its controller declares. Undefined is refused at start. */
export function accessOf(handler: object, controller: object): Access | undefined {
  return (Reflect.getMetadata(DeclaredAccess.KEY, handler) ?? Reflect.getMetadata(DeclaredAccess.KEY, controller)) as
    Access | undefined;
}

/**
 * Whether a route admits keys: those that require a permission do, unless they are marked by
 * `@PeopleOnly` or `@Fresh`. All others are for people.
 */
export function admitsKeys(handler: object, controller: object): boolean {
  if (accessOf(handler, controller)?.for !== 'permission') return false;
  return !Reflect.hasMetadata(ForPeople.KEY, handler) && !Reflect.hasMetadata(ForPeople.KEY, controller);
}

/**
 * Whether the permissions and the role of a signed-in caller allow what a route declares. No custom
 * role can have the name Owner.
 */
export function isAllowed(access: Access | undefined, actor: Pick<Actor, 'isAdmin' | 'permissions' | 'role'>): boolean {
  if (access?.for === 'permission') return actor.permissions.includes(access.permission);
  if (access?.for === 'owner') return actor.role === OWNER;
  return access?.for !== 'admin' || actor.isAdmin;
}

/**
 * Whether a route or its controller is marked by `@LiveSession`; read by the guard of the auth
 * module.
 */
export function needsLiveSession(handler: object, controller: object): boolean {
  return Reflect.hasMetadata(NeedsLiveSession.KEY, handler) || Reflect.hasMetadata(NeedsLiveSession.KEY, controller);
}

/**
 * Whether a route acts in the active tenant: it requires a permission or the Owner, or is marked by
 * `@InTenant`. Where it needs a live session, that one must meet the sign-in policy of the tenant.
 */
export function actsInTenant(handler: object, controller: object): boolean {
  const access = accessOf(handler, controller)?.for;
  return access === 'permission' || access === 'owner' || Reflect.hasMetadata(ForTenant.KEY, handler);
}

/**
 * Within how many minutes the user of a route must have proven their identity; undefined without
 * `@Fresh`. Read by the guard of the auth module.
 */
export function freshMinutesOf(handler: object, controller: object): number | undefined {
  return (Reflect.getMetadata(FreshMinutes.KEY, handler) ?? Reflect.getMetadata(FreshMinutes.KEY, controller)) as
    number | undefined;
}
