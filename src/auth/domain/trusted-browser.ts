import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { DAY, addSeconds } from '../../platform/clock';
import { newId } from '../../platform/ids';
import { User } from '../../users/users.api';
import type { Device } from './session';

/** How long a browser is trusted, in seconds. */
const TRUST_SECONDS = 30 * DAY;

/**
 * A browser in which a user signs in without the second factor. It is known by its signed cookie
 * `device`, which names the account only after a complete sign-in.
 */
@Entity('trusted_browsers')
@Unique('trusted_browsers_user_id_device_id_key', ['userId', 'deviceId'])
@Index('trusted_browsers_expires_at_idx', ['expiresAt'])
export class TrustedBrowser {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'trusted_browsers_pkey' }) readonly id!: string;
  @ForeignKey(() => User, { name: 'trusted_browsers_user_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly userId!: string;
  @Column('uuid') readonly deviceId!: string;
  @Column('text', { nullable: true }) readonly ip!: string | null;
  @Column('text', { nullable: true }) readonly userAgent!: string | null;
  @Column('timestamptz') readonly createdAt!: Date;
  @Column('timestamptz') readonly expiresAt!: Date;

  static of(userId: string, deviceId: string, { ip, userAgent }: Device, now: Date): TrustedBrowser {
    const expiresAt = addSeconds(now, TRUST_SECONDS);
    return Object.assign(new TrustedBrowser(), {
      id: newId(),
      userId,
      deviceId,
      ip,
      userAgent,
      createdAt: now,
      expiresAt,
    });
  }
}
