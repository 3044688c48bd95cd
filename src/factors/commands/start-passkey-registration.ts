import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import type { Actor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { PasskeyChallengeRepository } from '../data/passkey-challenge.repository';
import { PasskeyRepository } from '../data/passkey.repository';
import { UserHandleRepository } from '../data/user-handle.repository';
import { MAX_PASSKEYS, textOf } from '../domain/passkey';
import { creationOptions } from '../domain/passkey-options';
import { FactorFailures } from '../factors.failures';
import type { PasskeyOptionsView } from '../http/views/passkeys.views';

/**
 * The options with which the caller's browser creates a passkey. They replace earlier ones, and
 * their challenge expires after 5 minutes. LIMIT_REACHED with 20 passkeys.
 */
export class StartPasskeyRegistration extends Command<Result<PasskeyOptionsView, 'LIMIT_REACHED' | 'UNAUTHENTICATED'>> {
  constructor(readonly actor: Pick<Actor, 'userId'>) {
    super();
  }
}

@CommandHandler(StartPasskeyRegistration)
export class StartPasskeyRegistrationHandler implements ICommandHandler<StartPasskeyRegistration> {
  constructor(
    private readonly users: UserRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly handles: UserHandleRepository,
    private readonly challenges: PasskeyChallengeRepository,
    private readonly unitOfWork: UnitOfWork,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  execute({ actor: { userId } }: StartPasskeyRegistration) {
    return this.unitOfWork.transaction(async () => {
      const user = await this.users.lock(userId);
      if (!user) return err(PlatformFailures.unauthenticated);
      const existing = await this.passkeys.listByUser(userId);
      if (existing.length >= MAX_PASSKEYS) return err(FactorFailures.tooManyPasskeys);
      const handle = textOf(await this.handles.ensure(userId));
      const challenge = await this.challenges.issueFor(userId);
      return ok({ options: creationOptions(challenge, this.settings.passkeys.rpId, { ...user, handle }, existing) });
    });
  }
}
