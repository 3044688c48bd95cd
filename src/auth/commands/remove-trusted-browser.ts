import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { TrustedBrowserRepository } from '../data/trusted-browser.repository';

/** Trusts one browser of the caller no more. NOT_FOUND. */
export class RemoveTrustedBrowser extends Command<Result<void, 'NOT_FOUND'>> {
  constructor(
    readonly actor: Pick<Actor, 'userId'>,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(RemoveTrustedBrowser)
export class RemoveTrustedBrowserHandler implements ICommandHandler<RemoveTrustedBrowser> {
  constructor(private readonly trustedBrowsers: TrustedBrowserRepository) {}

  /** One statement, its own transaction. */
  async execute({ actor: { userId }, id }: RemoveTrustedBrowser) {
    return (await this.trustedBrowsers.remove(userId, id)) ? ok() : err(PlatformFailures.notFound);
  }
}
