import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { User } from './user';

/** The supported identity providers. */
export const PROVIDERS = ['google', 'github'] as const;
export type Provider = (typeof PROVIDERS)[number];
/** Display names. */
export const PROVIDER_NAMES: Record<Provider, string> = { google: 'Google', github: 'GitHub' };

/** The identity of a user at a provider. */
export interface ProviderIdentity {
  readonly provider: Provider;
  /** The provider's id of the user. */
  readonly providerUserId: string;
}

/**
 * A link from an identity at a provider to a user; one per provider and user (docs/contract.md,
 * Identity providers).
 */
@Entity('linked_providers')
@Unique('linked_providers_user_id_provider_key', ['userId', 'provider'])
export class LinkedProvider {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'linked_providers_pkey' }) readonly provider!: Provider;
  /** The provider's id of the user, which does not change with the address. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'linked_providers_pkey' }) readonly providerUserId!: string;
  @ForeignKey(() => User, { name: 'linked_providers_user_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly userId!: string;
  @Column('timestamptz') readonly linkedAt!: Date;

  static of({ provider, providerUserId }: ProviderIdentity, userId: string, now: Date): LinkedProvider {
    return Object.assign(new LinkedProvider(), { provider, providerUserId, userId, linkedAt: now });
  }
}
