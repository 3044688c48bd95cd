import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus, type Command } from '@nestjs/cqrs';
import { In, Like, Raw, type EntityManager } from 'typeorm';
import { StartCheckout } from '../src/billing/checkout/commands/start-checkout';
import { SyncOwnSubscription } from '../src/billing/sync/commands/sync-own-subscription';
import type { TenantActor } from '../src/http/access/actor';
import { Clock } from '../src/platform/clock';
import { Database } from '../src/platform/database/database';
import { UnitOfWork } from '../src/platform/database/unit-of-work';
import { ok, type Result } from '../src/platform/result';
import { CreateProject } from '../src/projects/commands/create-project';
import { CreateRole } from '../src/tenants/commands/create-role';
import { CreateTenant } from '../src/tenants/commands/create-tenant';
import { InviteMember } from '../src/tenants/commands/invite-member';
import { PasswordHasher } from '../src/users/domain/password-hasher';
import { User } from '../src/users/domain/user';
import { CreateWebhookEndpoint } from '../src/webhooks/commands/create-webhook-endpoint';
import { WebhookEndpoint } from '../src/webhooks/domain/webhook-endpoint';
import { DEMO_PASSWORD, DEMO_USERS } from './demo-users';
import { joinAsMember, ownerOf, valueOf } from './tenant-fixtures';
import type { StripeStandIn } from './stripe/stripe-stand-in';
import type { WebhookCatcher } from './webhook-catcher';

/** The webhook catcher, and the address at which it gets messages. */
interface Receiver {
  readonly url: string;
  readonly catcher: WebhookCatcher;
}

const DEMO_WEBHOOK = 'Webhook catcher of local mode';

/**
 * Fills a database without users: demo accounts, a Free tenant, and a tenant with a Pro trial, a
 * member, a role, projects, an invitation and a webhook.
 * @param processor the stand-in at which the trial starts. Without one there is no trial
 * @param receiver of the webhook
 */
export async function seed(
  app: INestApplicationContext,
  processor: StripeStandIn | undefined,
  receiver: Receiver,
): Promise<void> {
  const { manager } = app.get(Database);
  if (await manager.exists(User)) {
    await moveDemoWebhook(app, receiver);
    return markDemoPasswords(manager);
  }
  return seedDemo(app, processor, receiver);
}

/** Creates the demo data beside other data. No account may have an address of the demo. */
export async function seedDemo(
  app: INestApplicationContext,
  processor: StripeStandIn | undefined,
  receiver: Receiver,
): Promise<void> {
  const { manager } = app.get(Database);
  const hashed = valueOf(await app.get(PasswordHasher, { strict: false }).hash(DEMO_PASSWORD));
  const users = DEMO_USERS.map(({ email, name }) => {
    const now = app.get(Clock).now();
    const user = User.register(email, name, hashed, now);
    user.verifyEmail(now);
    return user;
  });
  await manager.insert(User, users);
  const [admin, owner, member] = users;
  const execute = async <T>(command: Command<Result<T, string>>) => valueOf(await app.get(CommandBus).execute(command));
  await execute(new CreateTenant({ userId: admin.id, impersonatorId: null }, "Alma's workspace"));
  const acme = await execute(new CreateTenant({ userId: owner.id, impersonatorId: null }, 'Acme'));
  await joinAsMember(app, acme.id, member);
  const actor = ownerOf(acme.id, owner.id);
  await execute(
    new CreateRole(actor, 'Accountant', ['tenant.settings.read', 'tenant.billing.read', 'tenant.billing.manage']),
  );
  for (const name of ['Website', 'Mobile app']) await execute(new CreateProject(actor, { name }));
  await execute(new InviteMember(actor, 'guest@example.com', undefined));
  await createDemoWebhook(app, actor, receiver);
  if (!processor) return;
  await processor.customerActions.pay(
    (await execute(new StartCheckout(actor, { plan: 'Pro', interval: 'month' }))).checkoutUrl,
  );
  await execute(new SyncOwnSubscription(actor));
}

/** Nothing is created where settings forbid webhooks to this machine. */
async function createDemoWebhook(app: INestApplicationContext, actor: TenantActor, { url, catcher }: Receiver) {
  const details = { url, description: DEMO_WEBHOOK, types: null };
  const created = await app.get(CommandBus).execute(new CreateWebhookEndpoint(actor, details));
  if (created.ok) catcher.trust(created.value.secret);
}

/** The port of the catcher may be another one since the last start. */
async function moveDemoWebhook(app: INestApplicationContext, { url }: Receiver): Promise<void> {
  const unitOfWork = app.get(UnitOfWork);
  await unitOfWork.acrossTenants(async () => {
    await unitOfWork.manager.update(
      WebhookEndpoint,
      { description: DEMO_WEBHOOK, url: Like('http://127.0.0.1:%') },
      { url },
    );
    return ok();
  });
}

/**
 * Marks the passwords of the demo accounts as set by their owners, which data of an older version
 * does not record. ADMIN_EMAILS requires it for the admin.
 */
async function markDemoPasswords(manager: EntityManager): Promise<void> {
  const ofDemo = {
    email: In(DEMO_USERS.map(({ email }) => email)),
    passwordSetAt: Raw((column) => `${column} < email_verified_at`),
  };
  await manager.update(User, ofDemo, { passwordSetAt: () => 'email_verified_at' });
}
