import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MINUTE, addSeconds } from '../../platform/clock';
import { digestOf } from '../../platform/secret-token';
import { User } from '../../users/users.api';
import type { Device, SignIn } from './session';

/** Lifetime of a ticket in seconds. */
export const TICKET_SECONDS = 5 * MINUTE;
/** How many times a second factor can be sent with one ticket. */
export const MAX_TICKET_ATTEMPTS = 5;

/** The browser that a ticket was issued to. */
export interface TicketBrowser extends Device {
  /** Whether the user has signed in with it before. */
  readonly isKnown: boolean;
}

/**
 * A sign-in that waits for the second factor: the first factor is proven. Only the hash of the
 * ticket is stored. It ends when it or another one of the same browser is used, and when the
 * password or the factors change. What has expired was not completed, and is reported.
 */
@Entity('sign_in_tickets')
@Index('sign_in_tickets_user_id_idx', ['userId'])
@Index('sign_in_tickets_expires_at_idx', ['expiresAt'])
export class SignInTicket {
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'sign_in_tickets_pkey' }) readonly tokenHash!: Buffer;
  @ForeignKey(() => User, { name: 'sign_in_tickets_user_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly userId!: string;
  /** How the user signed in. */
  @Column('jsonb') readonly signIn!: SignIn;
  /** The tenant to activate; null for the one that was active last. */
  @Column('uuid', { nullable: true }) readonly activeTenantId!: string | null;
  @Column('integer') readonly attempts!: number;
  @Column('timestamptz') readonly expiresAt!: Date;
  @Column('text', { nullable: true }) readonly ip!: string | null;
  @Column('text', { nullable: true }) readonly userAgent!: string | null;
  /** Whether the user had signed in with this browser before. */
  @Column('boolean', { default: false }) readonly isKnownBrowser!: boolean;

  static issue(token: string, { userId, signIn, tenantId, browser }: NewTicket, now: Date): SignInTicket {
    return Object.assign(new SignInTicket(), {
      tokenHash: digestOf(token),
      userId,
      signIn,
      activeTenantId: tenantId ?? null,
      attempts: 0,
      expiresAt: addSeconds(now, TICKET_SECONDS),
      ip: browser.ip,
      userAgent: browser.userAgent,
      isKnownBrowser: browser.isKnown,
    });
  }

  /** When the first factor was proven. */
  get issuedAt(): Date {
    return addSeconds(this.expiresAt, -TICKET_SECONDS);
  }
}

/** A sign-in whose first factor was just proven. */
export interface NewTicket {
  readonly userId: string;
  readonly signIn: SignIn;
  /** The tenant to activate; undefined for the one that was active last. */
  readonly tenantId: string | undefined;
  readonly browser: TicketBrowser;
}
