import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { Database } from '../../platform/database/database';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { PROVIDERS, type Provider } from '../../users/users.api';
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

interface Row {
  readonly hasPassword: boolean;
  readonly provider: Provider | null;
  readonly linkedAt: Date;
}

@QueryHandler(ListSignInMethods)
export class ListSignInMethodsHandler implements IQueryHandler<ListSignInMethods> {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ userId }: ListSignInMethods) {
    const rows = await this.database.read<Row>(METHODS, [userId]);
    if (rows.length === 0) return err(PlatformFailures.unauthenticated);
    const providers = PROVIDERS.map((provider) => ({
      provider,
      isConfigured: Boolean(this.settings.providers[provider]),
      linkedAt: rows.find((row) => row.provider === provider)?.linkedAt ?? null,
    }));
    return ok({ hasPassword: rows[0].hasPassword, providers });
  }
}

const METHODS = `
  SELECT u.password_hash IS NOT NULL AS "hasPassword", p.provider, p.linked_at AS "linkedAt"
    FROM users u LEFT JOIN linked_providers p ON p.user_id = u.id
   WHERE u.id = $1`;
