import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import { newId } from '../../platform/ids';
import { err, ok, type Result } from '../../platform/result';
import { UserFailures } from '../users.failures';

/** A person with an account (specification, User). Emails are lower-cased before they come here. */
@Entity('users')
@Unique('users_email_key', ['email'])
export class User {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'users_pkey' }) readonly id!: string;
  @Column('text') readonly email!: string;
  @Column('text') name!: string;
  /** Null for a person who has only ever come in without a password. */
  @Column('text', { nullable: true }) passwordHash!: string | null;
  @Column('boolean', { default: false }) isEmailVerified!: boolean;
  @Column('text', { nullable: true }) pictureUrl!: string | null;
  @Column('timestamptz', { nullable: true }) disabledAt!: Date | null;
  @Column('timestamptz') readonly createdAt!: Date;

  /** A new account whose address nobody has proven yet. */
  static register(email: string, name: string, passwordHash: string, now: Date): User {
    return Object.assign(new User(), {
      id: newId(),
      email,
      name,
      passwordHash,
      isEmailVerified: false,
      pictureUrl: null,
      disabledAt: null,
      createdAt: now,
    });
  }

  /** Whether this person may have a session now. */
  mayEnter(): Result {
    if (this.disabledAt) return err(UserFailures.accountDisabled);
    if (!this.isEmailVerified) return err(UserFailures.emailNotVerified);
    return ok();
  }

  verifyEmail(): void {
    this.isEmailVerified = true;
  }

  rename(name: string): void {
    this.name = name;
  }

  changePassword(passwordHash: string): void {
    this.passwordHash = passwordHash;
  }
}

/** Global admin access comes from the setting ADMIN_EMAILS, and only to an address that is proven. */
export function isAdmin(user: Pick<User, 'email' | 'isEmailVerified'>, adminEmails: ReadonlySet<string>): boolean {
  return user.isEmailVerified && adminEmails.has(user.email);
}
