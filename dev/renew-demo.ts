import type { NestExpressApplication } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';
import { setTenantScopeSql } from '../src/platform/database/set-tenant-scope';
import { EVERY_TENANT } from '../src/platform/database/tenant-scope';
import { Database } from '../src/platform/database/database';
import { RENEWAL_PATH } from './renewal-path';

/** No account or workspace keeps an address or a name of the demo, and no admin is left. */
const RETIRE_ALL = [
  'DELETE FROM sessions',
  `UPDATE users SET email = id || '@retired.example', name = 'Retired', is_admin = false, is_email_verified = true`,
  `UPDATE tenants SET name = 'Retired'`,
];

/**
 * Retires all accounts and workspaces on request, and seeds the demo again: as after a new start,
 * but in less time. For tests, each file of which begins with new accounts and workspaces.
 */
export function serveDemoRenewal(app: NestExpressApplication, seedDemo: () => Promise<void>): void {
  const renewal: RequestHandler = (request, response, next) => {
    if (request.path !== RENEWAL_PATH || request.method !== 'POST') return next();
    const renewed = async () => {
      await app.get(Database).manager.transaction(async (manager) => {
        await manager.query(setTenantScopeSql(EVERY_TENANT));
        for (const statement of RETIRE_ALL) await manager.query(statement);
      });
      await seedDemo();
      response.sendStatus(204);
    };
    renewed().catch(next);
  };
  app.use(renewal);
}
