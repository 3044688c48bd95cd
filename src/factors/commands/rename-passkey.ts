import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { passkeyView } from '../data/passkey.columns';
import { PasskeyRepository } from '../data/passkey.repository';
import { passkeyIdOf } from '../domain/passkey';
import type { PasskeyView } from '../http/views/passkeys.views';

/** Renames a passkey of the caller. NOT_FOUND. */
export class RenamePasskey extends Command<Result<PasskeyView, 'NOT_FOUND'>> {
  constructor(
    readonly actor: Pick<Actor, 'userId'>,
    readonly id: string,
    readonly name: string,
  ) {
    super();
  }
}

@CommandHandler(RenamePasskey)
export class RenamePasskeyHandler implements ICommandHandler<RenamePasskey> {
  constructor(private readonly passkeys: PasskeyRepository) {}

  async execute({ actor, id, name }: RenamePasskey) {
    const renamed = await this.passkeys.rename(actor.userId, passkeyIdOf(id), name);
    return renamed ? ok(passkeyView(renamed)) : err(PlatformFailures.notFound);
  }
}
