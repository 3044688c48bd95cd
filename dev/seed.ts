import type { INestApplicationContext } from '@nestjs/common';
import { Clock } from '../src/platform/clock';
import { Database } from '../src/platform/database';
import { PasswordHasher } from '../src/users/domain/password-hasher';
import { User } from '../src/users/domain/user';

/** The demo accounts of local mode; all have the same password. */
export const DEMO_PASSWORD = 'demo-tenantry-1';
export const DEMO_USERS = [
  { email: 'admin@example.com', name: 'Ada Admin', role: 'global admin' },
  { email: 'owner@example.com', name: 'Olga Owner', role: 'user' },
  { email: 'member@example.com', name: 'Max Member', role: 'user' },
];

/** Fills a database that has no user yet with the demo accounts. */
export async function seed(app: INestApplicationContext): Promise<void> {
  const { manager } = app.get(Database);
  if (await manager.exists(User)) return;
  const hashed = await app.get(PasswordHasher, { strict: false }).hash(DEMO_PASSWORD);
  if (!hashed.ok) throw new Error(hashed.failure.message);
  const users = DEMO_USERS.map(({ email, name }) => {
    const user = User.register(email, name, hashed.value, app.get(Clock).now());
    user.verifyEmail();
    return user;
  });
  await manager.insert(User, users);
}
