import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { RevokedTokens } from '../../http/access/revoked-tokens';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { ok, type Result } from '../../platform/result';
import { digestOf } from '../../platform/secret-token';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { ApiKeyRepository } from '../data/api-key.repository';
import { isKeyToken } from '../domain/key-token';
import type { LeakedToken } from '../domain/leak-report';
import { ApiKeyLeaked } from '../keys.events';

/** Keys that one announcement holds. */
const ANNOUNCED_AT_ONCE = 200;

/**
 * Revokes the keys among texts that were found in public, in whichever tenant. What is no key, and
 * what was revoked before, changes nothing.
 */
export class RevokeLeakedKeys extends Command<Result> {
  /** @param tokens at most 1000 */
  constructor(readonly tokens: readonly LeakedToken[]) {
    super();
  }
}

@CommandHandler(RevokeLeakedKeys)
export class RevokeLeakedKeysHandler implements ICommandHandler<RevokeLeakedKeys> {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly revokedTokens: RevokedTokens,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ tokens }: RevokeLeakedKeys): Promise<Result> {
    const leaks = new Map<string, LeakedToken>();
    for (const leak of tokens)
      if (isKeyToken(leak.token, this.settings.keyPrefix)) leaks.set(digestOf(leak.token).toString('base64'), leak);
    if (leaks.size === 0) return ok();
    const hashes = [...leaks.keys()].map((hash) => Buffer.from(hash, 'base64'));
    return this.unitOfWork.acrossTenants(async () => {
      const revoked = await this.keys.revokeByHash(hashes, this.clock.now());
      for (let from = 0; from < revoked.length; from += ANNOUNCED_AT_ONCE)
        await this.revokedTokens.revoke(revoked.slice(from, from + ANNOUNCED_AT_ONCE).map(({ id }) => id));
      await this.events.publish(
        ...revoked.map((key) => new ApiKeyLeaked(key, leaks.get(key.tokenHash.toString('base64'))!)),
      );
      return ok();
    });
  }
}
