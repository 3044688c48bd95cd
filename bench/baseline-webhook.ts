import { raw, type RequestHandler } from 'express';
import { Pool, type PoolClient } from 'pg';
import Stripe from 'stripe';
import { syncSubscriptionJob } from '../src/billing/sync/commands/sync-subscription';
import { LOCK, SAVE, SAVED } from '../src/billing/subscriptions/data/subscription.repository';
import { ADD, EVENT, KNOWN } from '../src/billing/webhooks/data/webhook-event.repository';
import type { StripeEvent } from '../src/billing/stripe/stripe-event';
import { Subscription } from '../src/billing/subscriptions/domain/subscription';
import { WebhookEvent } from '../src/billing/webhooks/domain/webhook-event';
import { pipeline } from '../src/platform/database/pg-client-with-timeout';
import { PreparingClient } from '../src/platform/database/preparing-client';
import { updateOf } from '../src/platform/database/update-statement';
import { Jobs } from '../src/platform/jobs/jobs';
import { EVERY_TENANT, scopeStatements } from '../src/platform/database/tenant-scope';
import type { UnitOfWork } from '../src/platform/database/unit-of-work';

const SCOPE = scopeStatements(EVERY_TENANT);

/**
 * The baseline of a delivery: verifies the signature and runs the lookup and the transaction of a
 * renewal, without any decisions.
 */
export function webhook(connectionString: string, secret: string): RequestHandler[] {
  const pool = new Pool({ connectionString, max: 10, pipeline: true, Client: PreparingClient });
  const receive: RequestHandler = async (request, response) => {
    const body = request.body as Buffer;
    const event = Stripe.webhooks.constructEvent(body, request.headers['stripe-signature']!, secret);
    if (event.type !== 'customer.subscription.updated')
      throw new Error(`The baseline supports renewals only, not ${event.type}.`);
    const client = await pool.connect();
    if (!(await isKnown(client, event.id))) await applyEvent(client, event, body.toString());
    client.release();
    response.json({ success: true, data: null });
  };
  return [raw({ limit: '1mb', type: () => true }), receive];
}

/** Looks the event up in one round trip. */
async function isKnown(client: PoolClient, eventId: string): Promise<boolean> {
  const asked = pipeline(client, () => [
    client.query(`BEGIN READ ONLY; ${SCOPE}`),
    client.query(KNOWN, [eventId]),
    client.query('COMMIT'),
  ]);
  return (await Promise.all(asked))[1].rowCount! > 0;
}

/** Runs the statements of the service. */
async function applyEvent(
  client: PoolClient,
  { id: eventId, type, created, data: { object } }: Stripe.CustomerSubscriptionUpdatedEvent,
  payload: string,
) {
  const [at, now] = [new Date(created * 1000), new Date()];
  const row = WebhookEvent.receive({ eventId, type, createdAt: at } as StripeEvent, now);
  const [, added] = await Promise.all(
    pipeline(client, () => [client.query(`BEGIN; ${SCOPE}`), client.query(ADD, [...EVENT.parameters(row), payload])]),
  );
  if (added.rowCount !== 1) throw new Error('The baseline supports new events only.');
  const { rows } = await client.query<Subscription>(LOCK, [[object.id], [object.customer], [object.metadata.tenantId]]);
  const renewed = Object.assign(new Subscription(), rows[0], {
    currentPeriodEnd: new Date(object.items.data[0].current_period_end * 1000),
    asOf: at,
    updatedAt: now,
  });
  row.settle({ status: 'processed', tenantId: renewed.tenantId, error: null, isApplied: true });
  await Promise.all(
    pipeline(client, () => [
      client.query(SAVE, [SAVED.parameter([renewed])]),
      jobsOf(client).enqueueAll([syncSubscriptionJob(renewed.tenantId)]),
      client.query(SETTLE.sql, SETTLE.parameters(row)),
      client.query('COMMIT'),
    ]),
  );
}

const SETTLE = updateOf(WebhookEvent);

/** The job queue on the connection of the transaction. */
const jobsOf = (client: PoolClient) =>
  new Jobs({
    write: async (sql: string, values: unknown[]) => {
      await client.query(sql, values);
    },
  } as unknown as UnitOfWork);
