import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { err, ok, type Result } from '../../platform/result';
import { Tenant } from '../../tenants/tenants.api';
import { PROVIDERS } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import type { Session } from './session';

/** The sign-in methods that a tenant can allow. */
export const POLICY_METHODS = ['password', 'passkey', 'magic-link', ...PROVIDERS] as const;
export type PolicyMethod = (typeof POLICY_METHODS)[number];
/** Methods by which a new account signs in for the first time, with proof of its mailbox. */
const FIRST_SIGN_INS = ['verification', 'invitation'];
/** With these methods the first sign-in is allowed, too: the account has nothing else yet. */
const MAILBOX_METHODS: readonly PolicyMethod[] = ['password', 'magic-link'];

/** Days for which a personal token can be used, unless a policy allows fewer. */
export const MAX_TOKEN_DAYS = 366;

/** Why a policy keeps a session out of its tenant. */
export const POLICY_OBSTACLES = ['second-factor', 'method', 'session-age'] as const;
export type PolicyObstacle = (typeof POLICY_OBSTACLES)[number];

/** What a tenant asks of sessions, and of the personal tokens of its members. */
export interface SignInRules {
  /** From when on a session needs a second factor; null: never. */
  readonly secondFactorFrom: Date | null;
  /** Hours after its start in which a session may be used in the tenant; null: no limit. */
  readonly maxSessionHours: number | null;
  /** How users may sign in; null: by any method. */
  readonly allowedMethods: readonly PolicyMethod[] | null;
  /** Days for which a personal token can be used; 0: none can; null: MAX_TOKEN_DAYS. */
  readonly maxTokenDays: number | null;
}

/**
 * The sign-in policy of a tenant. It acts like a removed membership: a session that does not meet
 * it cannot have the tenant active; the account and its other tenants stay as they are. The
 * function `policy_obstacle` of the database decides where a token is created.
 */
@Entity('sign_in_policies')
@Index('sign_in_policies_reminders_idx', ['secondFactorFrom'], { where: 'reminded_at IS NULL' })
export class SignInPolicy {
  @ForeignKey(() => Tenant, { name: 'sign_in_policies_tenant_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'sign_in_policies_pkey' })
  readonly tenantId!: string;
  @Column('timestamptz', { nullable: true }) readonly secondFactorFrom!: Date | null;
  @Column('integer', { nullable: true }) readonly maxSessionHours!: number | null;
  /** With the methods of the first sign-in, where it is allowed. */
  @Column('text', { array: true, nullable: true }) readonly allowedMethods!: readonly string[] | null;
  /** Of the personal tokens of members. The function `api_key_of` applies it. */
  @Column('integer', { nullable: true }) readonly maxTokenDays!: number | null;
  /** When the time from which on a second factor is needed was set; null: never. */
  @Column('timestamptz', { nullable: true }) readonly announcedAt!: Date | null;
  /** When members without a second factor were reminded; null: not yet. */
  @Column('timestamptz', { nullable: true }) readonly remindedAt!: Date | null;
  @Column('timestamptz') readonly updatedAt!: Date;

  /**
   * A policy with these rules. Members are told and reminded again if the time from which on a
   * second factor is needed differs.
   * @param before the policy that it replaces
   */
  static of(tenantId: string, rules: SignInRules, before: SignInPolicy | null, now: Date): SignInPolicy {
    const methods = rules.allowedMethods;
    const firstSignIns = methods?.some((method) => MAILBOX_METHODS.includes(method)) ? FIRST_SIGN_INS : [];
    return Object.assign(new SignInPolicy(), {
      tenantId,
      secondFactorFrom: rules.secondFactorFrom,
      maxSessionHours: rules.maxSessionHours,
      maxTokenDays: rules.maxTokenDays,
      allowedMethods: methods && [...methods, ...firstSignIns],
      ...announcementOf(rules, before, now),
      updatedAt: now,
    });
  }

  /**
   * POLICY_WOULD_LOCK_YOU_OUT if the user who sets the policy has neither a second factor nor a
   * passkey while it asks for one, or is signed in by a method that it does not allow, or the Owner
   * has no allowed method. A password and a link can always be had, with the mailbox.
   * @param hasFactor whether the user has a second factor or a passkey
   * @param ofOwner the other sign-in methods of the Owner
   */
  checkPeople(
    hasFactor: boolean,
    session: Pick<Session, 'methods'>,
    ofOwner: readonly PolicyMethod[],
  ): Result<void, 'POLICY_WOULD_LOCK_YOU_OUT'> {
    const allows = (methods: readonly string[]) =>
      this.allowedMethods?.some((method) => methods.includes(method)) ?? true;
    const isProvable = this.secondFactorFrom === null || hasFactor;
    const isMet = isProvable && allows(session.methods) && allows([...MAILBOX_METHODS, ...ofOwner]);
    return isMet ? ok() : err(AuthFailures.policyWouldLockYouOut);
  }
}

/** Kept from the policy before if the time from which on a second factor is needed is the same. */
function announcementOf({ secondFactorFrom }: SignInRules, before: SignInPolicy | null, now: Date) {
  const isSame = secondFactorFrom !== null && before?.secondFactorFrom?.getTime() === secondFactorFrom.getTime();
  if (isSame) return { announcedAt: before.announcedAt, remindedAt: before.remindedAt };
  return { announcedAt: secondFactorFrom && now, remindedAt: null };
}
