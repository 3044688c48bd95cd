import { DomainEvent, NO_ACTOR, UnrecordedEvent, type ActorRef } from '../platform/domain-events';
import type { ApiKey } from './domain/api-key';
import type { LeakedToken } from './domain/leak-report';
import type { ServiceAccount } from './domain/service-account';

/** The domain events of service accounts and API keys; the audit log records them. */
abstract class ServiceAccountEvent extends DomainEvent {
  constructor(by: ActorRef, { tenantId, id, name, disabledAt }: ServiceAccount) {
    super(by, tenantId, { type: 'service-account', id }, { name, disabled: disabledAt !== null });
  }
}

export class ServiceAccountCreated extends ServiceAccountEvent {
  static readonly action = 'service-account.created';
}

/** It was renamed, disabled or enabled. */
export class ServiceAccountChanged extends ServiceAccountEvent {
  static readonly action = 'service-account.changed';
}

export class ServiceAccountDeleted extends ServiceAccountEvent {
  static readonly action = 'service-account.deleted';
}

abstract class ApiKeyEvent extends DomainEvent {
  constructor(by: ActorRef, key: ApiKey, more: Readonly<Record<string, unknown>> = {}) {
    const { tenantId, id, name, serviceAccountId, permissions } = key;
    const data = {
      name,
      ...(serviceAccountId && { serviceAccountId }),
      permissions,
      expiresAt: key.expiresAt,
      ...more,
    };
    super(by, tenantId, { type: 'api-key', id }, data);
  }
}

export class ApiKeyCreated extends ApiKeyEvent {
  static readonly action = 'api-key.created';
}

/** A key was replaced; it can be used until it expires. */
export class ApiKeyRotated extends ApiKeyEvent {
  static readonly action = 'api-key.rotated';

  constructor(by: ActorRef, key: ApiKey) {
    super(by, key, { rotatedTo: key.rotatedTo });
  }
}

export class ApiKeyRevoked extends ApiKeyEvent {
  static readonly action = 'api-key.revoked';
}

/** Keys can no longer be used: they were revoked, or their account was disabled or deleted. */
export class KeysStopped extends UnrecordedEvent {
  static readonly action = 'api-key.stopped';
  /** The users whose personal tokens they are, or who created them. */
  readonly people: readonly string[];

  constructor(by: ActorRef, tenantId: string, keys: readonly ApiKey[]) {
    super(by, tenantId, { type: 'tenant', id: tenantId });
    this.people = [...new Set(keys.flatMap(({ userId, createdBy }) => userId ?? createdBy ?? []))];
  }
}

/** GitHub has found a key in public, and it was revoked. */
export class ApiKeyLeaked extends ApiKeyEvent {
  static readonly action = 'api-key.leaked';
  /** Where it was found; null if unknown. */
  readonly url: string | null;

  constructor(
    readonly key: ApiKey,
    { url, source }: LeakedToken,
  ) {
    super(NO_ACTOR, key, { url, source });
    this.url = url;
  }
}

export class PersonalTokenCreated extends ApiKeyEvent {
  static readonly action = 'personal-token.created';
}

export class PersonalTokenDeleted extends ApiKeyEvent {
  static readonly action = 'personal-token.deleted';
}

/** A key was used for the first time. */
export class ApiKeyFirstUsed extends DomainEvent {
  static readonly action = 'api-key.first-used';

  constructor(by: ActorRef, tenantId: string, keyId: string) {
    super(by, tenantId, { type: 'api-key', id: keyId });
  }
}

/** A key was used from a network for the first time, and not for the first time at all. */
export class ApiKeyUsedFromNewNetwork extends DomainEvent {
  static readonly action = 'api-key.used-from-new-network';

  constructor(by: ActorRef, tenantId: string, keyId: string, network: string) {
    super(by, tenantId, { type: 'api-key', id: keyId }, { network });
  }
}

/** A key was used from addresses that it does not allow: how often, since when, from where. */
export class ApiKeyAddressRefused extends DomainEvent {
  static readonly action = 'api-key.address-refused';

  constructor(
    by: ActorRef,
    tenantId: string,
    keyId: string,
    facts: { readonly count: number; readonly since: string; readonly networks: readonly string[] },
  ) {
    super(by, tenantId, { type: 'api-key', id: keyId }, facts);
  }
}
