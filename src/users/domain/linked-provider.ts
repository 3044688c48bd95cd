import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { User } from './user';

/** The identity providers by which people can sign in. */
export const PROVIDERS = ['google', 'github'] as const;
export type Provider = (typeof PROVIDERS)[number];
/** As people write them. */
export const PROVIDER_NAMES: Record<Provider, string> = { google: 'Google', github: 'GitHub' };

/**
 * An account at a provider that belongs to one of ours; one per provider and person (contract
 * section 3).
 */
@Entity('linked_providers')
@Unique('linked_providers_user_id_provider_key', ['userId', 'provider'])
export class LinkedProvider {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'linked_providers_pkey' }) readonly provider!: Provider;
  /** The provider's own id of the person: it stays when their address there changes. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'linked_providers_pkey' }) readonly providerUserId!: string;
  @ForeignKey(() => User, { name: 'linked_providers_user_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly userId!: string;
  @Column('timestamptz') readonly linkedAt!: Date;
}
