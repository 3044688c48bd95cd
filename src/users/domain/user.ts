import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { newId } from '../../platform/ids';
import { err, ok, type Result } from '../../platform/result';
import { UserFailures } from '../users.failures';

/** An account (docs/specification.md, User). Email addresses are in lower case. */
@Entity('users')
@Unique('users_email_key', ['email'])
@Index('users_disabled_id_idx', ['id'], { where: 'disabled_at IS NOT NULL' })
@Index('users_unverified_id_idx', ['id'], { where: 'NOT is_email_verified' })
@Index('users_admin_id_idx', ['id'], { where: 'is_admin' })
@Index('users_deletes_at_idx', ['deletesAt'], { where: 'deletes_at IS NOT NULL' })
@Index('users_search_idx', { synchronize: false }) // trigrams of an expression, which TypeORM cannot declare
export class User {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'users_pkey' }) readonly id!: string;
  @Column('text') email!: string;
  @Column('text') name!: string;
  /** Null for a user who signs in without a password. */
  @Column('text', { nullable: true }) passwordHash!: string | null;
  /**
   * When the password was set. If this is before `emailVerifiedAt`, a stranger who knew the address
   * may have set it.
   */
  @Column('timestamptz', { nullable: true }) passwordSetAt!: Date | null;
  @Column('boolean', { default: false }) isEmailVerified!: boolean;
  @Column('timestamptz', { nullable: true }) emailVerifiedAt!: Date | null;
  @Column('text', { nullable: true }) pictureUrl!: string | null;
  /** Whether the user has chosen the picture, or to have none: providers no longer change it. */
  @Column('boolean', { default: false }) isPictureChosen!: boolean;
  /** The language of pages and dates (BCP 47); null: that of the device. */
  @Column('text', { nullable: true }) language!: string | null;
  /**
   * The time zone of dates in emails and pages (IANA); null: UTC in emails, else that of the
   * device.
   */
  @Column('text', { nullable: true }) timeZone!: string | null;
  @Column('timestamptz', { nullable: true }) disabledAt!: Date | null;
  /** Whether admin access is stored in the account; ADMIN_EMAILS also grants it (see isAdmin). */
  @Column({ type: 'boolean', default: false, update: false }) readonly isAdmin!: boolean;
  /** Whether a sign-in needs a second factor. */
  @Column('boolean', { default: false }) hasSecondFactor!: boolean;
  /** When the account is deleted, as its user wants; null: it stays. */
  @Column('timestamptz', { nullable: true }) deletesAt!: Date | null;
  /** When the user was reminded of it. */
  @Column('timestamptz', { nullable: true }) deletionRemindedAt!: Date | null;
  @Column({ type: 'timestamptz', update: false }) readonly createdAt!: Date;

  /** A new, unverified account. */
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
      isPictureChosen: false,
      language: null,
      timeZone: null,
      disabledAt: null,
      isAdmin: false,
      hasSecondFactor: false,
      deletesAt: null,
      deletionRemindedAt: null,
      createdAt: now,
    });
  }

  /** A new account of a user who signed in with a provider: verified, and without a password. */
  static fromProvider(email: string, name: string, pictureUrl: string | null, now: Date): User {
    const proven = { passwordHash: null, passwordSetAt: null, isEmailVerified: true, emailVerifiedAt: now };
    return Object.assign(new User(), { ...User.register(email, name, '', now), ...proven, pictureUrl });
  }

  /** ACCOUNT_DISABLED or EMAIL_NOT_VERIFIED if the user may not sign in. */
  checkSignIn(): Result<void, 'ACCOUNT_DISABLED' | 'EMAIL_NOT_VERIFIED'> {
    if (this.disabledAt) return err(UserFailures.accountDisabled);
    if (!this.isEmailVerified) return err(UserFailures.emailNotVerified);
    return ok();
  }

  /** @param isUsed whether sign-ins need a second factor from now on */
  useSecondFactor(isUsed: boolean): void {
    this.hasSecondFactor = isUsed;
  }

  /** Idempotent: keeps the time of the first verification. */
  verifyEmail(now: Date): void {
    if (!this.isEmailVerified) this.emailVerifiedAt = now;
    this.isEmailVerified = true;
  }

  /**
   * Gives a verified account another address, whose mailbox the user has proven. The proof of the
   * first mailbox stays, and with it that of the password.
   */
  changeEmail(email: string): void {
    this.email = email;
  }

  /**
   * Whether the password was set after the mailbox was proven, or used since in a browser in which
   * it was.
   */
  get isPasswordProven(): boolean {
    return this.passwordSetAt !== null && this.emailVerifiedAt !== null && this.passwordSetAt >= this.emailVerifiedAt;
  }

  /** Whether somebody else may have set the password, before the mailbox was proven. */
  get isPasswordInDoubt(): boolean {
    return this.passwordHash !== null && this.emailVerifiedAt !== null && !this.isPasswordProven;
  }

  /** The owner of the mailbox knows the password. */
  provePassword(now: Date): void {
    this.passwordSetAt = now;
  }

  /**
   * Hands an unverified account over to the owner of the mailbox. The password is removed and the
   * name replaced: a stranger may have chosen them (docs/contract.md, Proof of the mailbox).
   */
  takeOver(name: string, now: Date): void {
    this.verifyEmail(now);
    this.name = name;
    this.removePassword();
  }

  /** Disables signing in with a password until the owner of the mailbox sets a new one. */
  removePassword(): void {
    this.passwordHash = null;
    this.passwordSetAt = null;
  }

  /** Applies the newest registration of an unverified account. */
  registerAgain(name: string, passwordHash: string, now: Date): void {
    this.name = name;
    this.changePassword(passwordHash, now);
  }

  /**
   * Verifies the account, with the name and password that the owner of the mailbox chose.
   * @param passwordSetAt when the password was chosen
   */
  activate(name: string, passwordHash: string, passwordSetAt: Date, now: Date): void {
    this.verifyEmail(now);
    this.name = name;
    this.changePassword(passwordHash, passwordSetAt);
  }

  /** Idempotent: keeps the time of the first call. */
  disable(now: Date): void {
    this.disabledAt ??= now;
  }

  enable(): void {
    this.disabledAt = null;
  }

  /** Idempotent: keeps the time of the first call. @returns whether the deletion is new */
  planDeletion(at: Date): boolean {
    if (this.deletesAt) return false;
    this.deletesAt = at;
    return true;
  }

  /** @returns whether a deletion was planned */
  keep(): boolean {
    const wasPlanned = this.deletesAt !== null;
    this.deletesAt = null;
    this.deletionRemindedAt = null;
    return wasPlanned;
  }

  isDeletionDue(now: Date): boolean {
    return this.disabledAt === null && this.deletesAt !== null && this.deletesAt <= now;
  }

  /**
   * Changes what is given and differs.
   * @returns the names of the changed fields
   */
  updateProfile(changes: ProfileChanges): (keyof ProfileChanges)[] {
    const changed = CHANGEABLE_FIELDS.filter((field) => changes[field] !== undefined && changes[field] !== this[field]);
    for (const field of changed) Object.assign(this, { [field]: changes[field] });
    return changed;
  }

  /** Shows a picture that the user uploaded, or none. */
  choosePicture(pictureUrl: string | null): void {
    this.pictureUrl = pictureUrl;
    this.isPictureChosen = true;
  }

  /**
   * Takes the picture of a provider, unless the account has one or the user removed theirs.
   * @returns whether it was taken
   */
  adoptPicture(pictureUrl: string | null): boolean {
    if (this.isPictureChosen || this.pictureUrl !== null || pictureUrl === null) return false;
    this.pictureUrl = pictureUrl;
    return true;
  }

  /**
   * @param provenAt the current time, if the user has proven the mailbox; undefined keeps the proof
   * of the previous password
   */
  changePassword(passwordHash: string, provenAt?: Date): void {
    this.passwordHash = passwordHash;
    this.passwordSetAt = provenAt ?? this.passwordSetAt;
  }
}

/** The fields that users change in their own account. */
const CHANGEABLE_FIELDS = ['name', 'language', 'timeZone'] as const satisfies readonly (keyof User)[];

/** A change of a user's own account; absent fields stay as they are. */
export type ProfileChanges = Partial<Pick<User, (typeof CHANGEABLE_FIELDS)[number]>>;

/** The fields of an account that responses show (docs/contract.md, Account operations). */
export const PROFILE_FIELDS = [
  'id',
  'email',
  'name',
  'isEmailVerified',
  'pictureUrl',
  'language',
  'timeZone',
  'isAdmin',
  'createdAt',
] as const satisfies readonly (keyof User)[];

/**
 * Whether a user has global admin access: granted in the account or by ADMIN_EMAILS, and only with
 * a verified address.
 * @param isProven whether the session has proven what admin access needs (docs/contract.md, Admin
 * operations); omit it to check whether the account can have admin access at all
 */
export function isAdmin(
  user: Pick<User, 'email' | 'isEmailVerified' | 'isAdmin'>,
  adminEmails: ReadonlySet<string>,
  isProven = true,
): boolean {
  return isProven && user.isEmailVerified && (user.isAdmin || adminEmails.has(user.email));
}
