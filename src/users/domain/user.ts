import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { newId } from '../../platform/ids';
import { err, ok, type Result } from '../../platform/result';
import { UserFailures } from '../users.failures';

/** A person with an account (specification, User). Emails are lower-cased before they come here. */
@Entity('users')
@Unique('users_email_key', ['email'])
@Index('users_disabled_id_idx', ['id'], { where: 'disabled_at IS NOT NULL' })
@Index('users_unverified_id_idx', ['id'], { where: 'NOT is_email_verified' })
@Index('users_admin_id_idx', ['id'], { where: 'is_admin' })
@Index('users_search_idx', { synchronize: false }) // trigrams of an expression, which TypeORM cannot say
export class User {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'users_pkey' }) readonly id!: string;
  @Column('text') readonly email!: string;
  @Column('text') name!: string;
  /** Null for a person who has only ever come in without a password. */
  @Column('text', { nullable: true }) passwordHash!: string | null;
  /**
   * Set by whoever holds the mailbox where it is not before `emailVerifiedAt`, else by anybody who
   * knew the address.
   */
  @Column('timestamptz', { nullable: true }) passwordSetAt!: Date | null;
  @Column('boolean', { default: false }) isEmailVerified!: boolean;
  @Column('timestamptz', { nullable: true }) emailVerifiedAt!: Date | null;
  @Column('text', { nullable: true }) pictureUrl!: string | null;
  @Column('timestamptz', { nullable: true }) disabledAt!: Date | null;
  /** Granted by an operator; ADMIN_EMAILS is the other way. */
  @Column('boolean', { default: false }) readonly isAdmin!: boolean;
  @Column('timestamptz') readonly createdAt!: Date;

  /** A new account whose address nobody has proven yet. */
  static register(email: string, name: string, passwordHash: string, now: Date): User {
    return Object.assign(new User(), {
      id: newId(),
      email,
      name,
      passwordHash,
      passwordSetAt: now,
      isEmailVerified: false,
      emailVerifiedAt: null,
      pictureUrl: null,
      disabledAt: null,
      isAdmin: false,
      createdAt: now,
    });
  }

  /**
   * A new account of a person whom an identity provider has recognised: their address is proven,
   * and they have no password.
   */
  static recognise(email: string, name: string, pictureUrl: string | null, now: Date): User {
    const proven = { passwordHash: null, passwordSetAt: null, isEmailVerified: true, emailVerifiedAt: now };
    return Object.assign(new User(), { ...User.register(email, name, '', now), ...proven, pictureUrl });
  }

  /** Whether this person may have a session now. */
  mayEnter(): Result {
    if (this.disabledAt) return err(UserFailures.accountDisabled);
    if (!this.isEmailVerified) return err(UserFailures.emailNotVerified);
    return ok();
  }

  /** Verifying twice keeps the first time. */
  verifyEmail(now: Date): void {
    if (!this.isEmailVerified) this.emailVerifiedAt = now;
    this.isEmailVerified = true;
  }

  /**
   * Whether the password was set by who held the mailbox, and not before by anybody who knew the
   * address.
   */
  get isPasswordProven(): boolean {
    return this.passwordSetAt !== null && this.emailVerifiedAt !== null && this.passwordSetAt >= this.emailVerifiedAt;
  }

  /**
   * The mailbox's owner is here, of an account that nobody had proven: whoever set its password may
   * have been anybody, so it goes (contract section 3, proof of the mailbox).
   */
  claimByMailbox(now: Date): void {
    this.verifyEmail(now);
    this.removePassword();
  }

  /** Nobody signs in with a password until one is set by who holds the mailbox. */
  removePassword(): void {
    this.passwordHash = null;
    this.passwordSetAt = null;
  }

  /** An unverified account was registered once more: it shows the newest registration. */
  registerAgain(name: string, passwordHash: string, now: Date): void {
    this.name = name;
    this.changePassword(passwordHash, now);
  }

  /**
   * The owner of the mailbox is here, with a name and a password of their own.
   * @param passwordSetAt when it was chosen
   */
  activate(name: string, passwordHash: string, passwordSetAt: Date, now: Date): void {
    this.verifyEmail(now);
    this.name = name;
    this.changePassword(passwordHash, passwordSetAt);
  }

  /** Lets nobody in any more, until enabled again. Disabling twice keeps the first time. */
  disable(now: Date): void {
    this.disabledAt ??= now;
  }

  enable(): void {
    this.disabledAt = null;
  }

  rename(name: string): void {
    this.name = name;
  }

  /**
   * @param provenAt when, by a person who has proven the mailbox; undefined: the new password is
   * worth what the one before was
   */
  changePassword(passwordHash: string, provenAt?: Date): void {
    this.passwordHash = passwordHash;
    this.passwordSetAt = provenAt ?? this.passwordSetAt;
  }
}

/**
 * Global admin access: granted to the account, or by the setting ADMIN_EMAILS; and only with an
 * address that is proven.
 * @param isProven whether the session began by proof of the mailbox, or with a password that was
 * set after it (contract section 11); left out: whether the account can be an admin at all
 */
export function isAdmin(
  user: Pick<User, 'email' | 'isEmailVerified' | 'isAdmin'>,
  adminEmails: ReadonlySet<string>,
  isProven = true,
): boolean {
  return isProven && user.isEmailVerified && (user.isAdmin || adminEmails.has(user.email));
}
