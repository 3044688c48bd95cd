import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../../users/users.api';

/** How many passkeys a user can have. */
export const MAX_PASSKEYS = 20;

/** How a browser can reach an authenticator (WebAuthn, AuthenticatorTransport). */
export const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** What an authenticator says of a new passkey. */
export type NewCredential = Pick<Passkey, 'id' | 'publicKey' | 'aaguid' | 'isBackedUp'> & {
  readonly counter: number;
  readonly transports: readonly Transport[];
};

/** What an authenticator says when a passkey is used. */
export interface PasskeyUse {
  readonly counter: number;
  readonly isBackedUp: boolean;
}

/**
 * A passkey (WebAuthn Level 3): a key pair of an authenticator, which verifies its user and keeps
 * the private key. It signs in without a password and without a name.
 */
@Entity('passkeys')
@Index('passkeys_user_id_idx', ['userId'])
export class Passkey {
  /** The credential id, which the authenticator chose. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'passkeys_pkey' }) readonly id!: Buffer;
  @ForeignKey(() => User, { name: 'passkeys_user_id_fkey', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', update: false })
  readonly userId!: string;
  /** A COSE key (RFC 9052). */
  @Column({ type: 'bytea', update: false }) readonly publicKey!: Buffer;
  /** How often the authenticator says that the key has signed; 0 if it does not count. */
  @Column('bigint') counter!: string;
  @Column({ type: 'text', array: true, update: false }) readonly transports!: readonly Transport[];
  /** The model of the authenticator; null if it does not say. */
  @Column({ type: 'uuid', nullable: true, update: false }) readonly aaguid!: string | null;
  /** Whether it is backed up, for example in a cloud account. It can change. */
  @Column('boolean') isBackedUp!: boolean;
  /**
   * Whether it was added in a session with proof of the mailbox (see Session.isProven). Otherwise
   * a password that was set before that proof could be used to obtain a proven session.
   */
  @Column('boolean') readonly isProven!: boolean;
  @Column('text') readonly name!: string;
  @Column({ type: 'timestamptz', update: false }) readonly createdAt!: Date;
  @Column('timestamptz', { nullable: true }) lastUsedAt!: Date | null;

  static add(userId: string, name: string, { counter, ...credential }: NewCredential, now: Date): Passkey {
    return Object.assign(new Passkey(), {
      ...credential,
      userId,
      name,
      counter: String(counter),
      isProven: false,
      createdAt: now,
      lastUsedAt: null,
    });
  }

  /**
   * The passkey has signed.
   * @returns whether its counter went back, which hints at a copy of the key. Authenticators that
   * synchronize passkeys do not count, so it is no reason to refuse.
   */
  use({ counter, isBackedUp }: PasskeyUse, now: Date): boolean {
    const before = Number(this.counter);
    this.counter = String(counter);
    this.isBackedUp = isBackedUp;
    this.lastUsedAt = now;
    return before > 0 && counter <= before;
  }
}

/** A credential id as clients send and receive it. */
export const textOf = (id: Buffer): string => id.toString('base64url');

/** The credential id of a text. */
export const passkeyIdOf = (text: string): Buffer => Buffer.from(text, 'base64url');
