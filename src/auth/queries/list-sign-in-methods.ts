import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { EntityReader } from '../../platform/database/entity-reader';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { HAS_PASSWORD, LinkedProvider, PROVIDERS, User } from '../../users/users.api';
import type { SignInMethodsView } from '../http/views/sign-in-methods.views';

/**
 * The caller's sign-in methods. UNAUTHENTICATED if the account was deleted after the token was
 * issued.
 */
export class ListSignInMethods extends Query<Result<SignInMethodsView, 'UNAUTHENTICATED'>> {
  constructor(readonly userId: string) {
    super();
  }
}

@QueryHandler(ListSignInMethods)
export class ListSignInMethodsHandler implements IQueryHandler<ListSignInMethods> {
  constructor(
    private readonly reader: EntityReader,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ userId }: ListSignInMethods) {
    const [user, links] = await Promise.all([
      this.reader.findOne(User, { select: [], computed: HAS_PASSWORD, where: { id: userId } }),
      this.reader.find(LinkedProvider, {
        select: ['provider', 'linkedAt'],
        where: { userId },
        order: { provider: 'ASC' },
        limit: PROVIDERS.length,
      }),
    ]);
    if (!user) return err(PlatformFailures.unauthenticated);
    const providers = PROVIDERS.map((provider) => ({
      provider,
      isConfigured: Boolean(this.settings.providers[provider]),
      linkedAt: links.find((link) => link.provider === provider)?.linkedAt ?? null,
    }));
    return ok({ ...user, providers });
  }
}
