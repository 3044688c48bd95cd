import type { Command } from '@nestjs/cqrs';
import type { Result } from '../../platform/result';
import type { MembershipRow } from '../../tenants/tenants.api';
import type { User } from '../../users/users.api';
import type { RefreshTokenRef } from '../domain/refresh-token-text';
import type { Device, SignIn } from '../domain/session';
import type { TARGET_FIELDS } from './session.statements';

/** An access token to be stored; its session is found by the jti. */
export interface NewAccessToken {
  /** The jti. */
  readonly id: string;
  readonly expiresAt: Date;
}

/** A refresh token to be stored; its id is also the jti of the access token issued with it. */
export type NewRefreshToken = NewAccessToken & RefreshTokenRef;

/** A refresh token of a request. */
export interface PresentedToken extends RefreshTokenRef {
  /** Whether an earlier version has issued it. */
  readonly isEarlier?: boolean;
}

/** The exchange of a refresh token for a new one of the same session. */
export interface TokenExchange {
  readonly spent: PresentedToken;
  readonly token: NewRefreshToken;
  readonly device: Device;
  /**
   * The tenant of the membership, if the user is a member there; undefined: the active tenant.
   */
  readonly tenantId?: string;
}

/** A user whom an admin wants to impersonate. */
export type ImpersonationTarget = Pick<User, (typeof TARGET_FIELDS)[number]> & MembershipRow;

/** What a sign-in stores beside its session. */
export interface SignInRecord {
  /** The hash that the account had when the user was authenticated. */
  readonly passwordHash: string | null;
  /** Whether the account had a second factor at that time. */
  readonly hasSecondFactor: boolean;
  readonly signIn: SignIn;
  /** The active tenant; undefined for the tenant that was active last. */
  readonly tenantId?: string;
  /** A job that is enqueued together with the session. */
  readonly job?: Command<Result<unknown, string>>;
}
