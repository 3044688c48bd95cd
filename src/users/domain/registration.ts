import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { addSeconds, DAY } from '../../platform/clock';
import { newIdAt } from '../../platform/ids';
import { User } from './user';

/** Registrations of one client that are kept while none of their emails was sent. */
const MAX_UNSENT_PER_CAUSE = 3;
/** The same of all clients. */
const MAX_UNSENT = 12;
/** Registrations whose link has expired are kept up to this number. */
const MAX_EXPIRED = 3;
/** How long the link of an email is valid. */
export const REGISTRATION_LINK_SECONDS = DAY;

/** Who registers, and how. */
export interface RegistrationSource {
  /** The kind of device, such as "Chrome on Windows". */
  readonly device: string;
  /** The hash of the client that registers (see causerHashOfRequest). */
  readonly cause: string;
}

/**
 * A registration of an address that is not verified. The emailed links of a registration activate
 * its password and name; the first link that is used discards the other registrations. An
 * unverified account has the password and name of the newest one.
 */
@Entity('registrations')
@Index('registrations_user_id_id_idx', ['userId', 'id'])
@Index('registrations_created_at_idx', ['createdAt'])
export class Registration {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'registrations_pkey' }) readonly id!: string;
  @ForeignKey(() => User, { name: 'registrations_user_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly userId!: string;
  @Column('text') readonly name!: string;
  @Column('text') readonly passwordHash!: string;
  /** The kind of device, such as "Chrome on Windows". */
  @Column('text') readonly device!: string;
  @Column('timestamptz') readonly createdAt!: Date;
  /** When its newest email was sent; null before the first. */
  @Column('timestamptz', { nullable: true }) readonly mailedAt!: Date | null;
  /** The hash of the client that registered; null if it was not stored. */
  @Column('text', { nullable: true }) readonly cause!: string | null;

  static of(
    { id: userId, name }: Pick<User, 'id' | 'name'>,
    passwordHash: string,
    source: RegistrationSource,
    now: Date,
  ): Registration {
    const stored = { userId, name, passwordHash, ...source, createdAt: now, mailedAt: null };
    return Object.assign(new Registration(), { id: newIdAt(now), ...stored });
  }
}

/**
 * The registrations that the newest one displaces: unsent ones beyond a few of each client and of
 * all, and those beyond a few whose link has expired. A link that was delivered stays valid; their
 * number is bounded by the limits of emails.
 * @param registrations of one account, newest first
 */
export function displacedRegistrations<R extends Pick<Registration, 'mailedAt' | 'cause'>>(
  registrations: readonly R[],
  now: Date,
): R[] {
  const unsent = registrations.filter(({ mailedAt }) => mailedAt === null);
  const fair = unsent.filter(
    ({ cause }, n) => unsent.slice(0, n).filter((newer) => newer.cause === cause).length < MAX_UNSENT_PER_CAUSE,
  );
  const kept = new Set(fair.slice(0, MAX_UNSENT));
  const expired = registrations.filter(
    ({ mailedAt }) => mailedAt !== null && addSeconds(mailedAt, REGISTRATION_LINK_SECONDS) <= now,
  );
  return [...unsent.filter((registration) => !kept.has(registration)), ...expired.slice(MAX_EXPIRED)];
}
