import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { ok, type Result } from '../../platform/result';
import { TrustedBrowserRepository } from '../data/trusted-browser.repository';

/** Trusts no browser of the caller any more. */
export class RemoveTrustedBrowsers extends Command<Result> {
  constructor(readonly actor: Pick<Actor, 'userId'>) {
    super();
  }
}

@CommandHandler(RemoveTrustedBrowsers)
export class RemoveTrustedBrowsersHandler implements ICommandHandler<RemoveTrustedBrowsers> {
  constructor(private readonly trustedBrowsers: TrustedBrowserRepository) {}

  /** One statement, its own transaction. */
  async execute({ actor: { userId } }: RemoveTrustedBrowsers): Promise<Result> {
    await this.trustedBrowsers.removeAll(userId);
    return ok();
  }
}
