import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { ok, type Result } from '../../platform/result';
import { PasskeyChallengeRepository } from '../data/passkey-challenge.repository';
import { requestOptions } from '../domain/passkey-options';
import type { PasskeyOptionsView } from '../http/views/passkeys.views';

/**
 * The options with which a browser has a passkey sign: for a sign-in, as its second factor, or to
 * confirm the identity. They are the same for everyone, and their challenge expires after 5
 * minutes.
 */
export class StartPasskeyAssertion extends Command<Result<PasskeyOptionsView>> {}

@CommandHandler(StartPasskeyAssertion)
export class StartPasskeyAssertionHandler implements ICommandHandler<StartPasskeyAssertion> {
  constructor(
    private readonly challenges: PasskeyChallengeRepository,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute() {
    const challenge = await this.challenges.issueForAnyone();
    return ok({ options: requestOptions(challenge, this.settings.passkeys.rpId) });
  }
}
