import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { newIdAt } from '../../platform/ids';
import { User } from './user';

/**
 * Registrations that are kept per unverified address (docs/contract.md, Registration and
 * verification).
 */
export const MAX_REGISTRATIONS = 3;

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

  static of(userId: string, name: string, passwordHash: string, device: string, now: Date): Registration {
    return Object.assign(new Registration(), { id: newIdAt(now), userId, name, passwordHash, device, createdAt: now });
  }
}
