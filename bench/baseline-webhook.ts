import { raw, type RequestHandler } from 'express';
import type { PoolClient } from 'pg';
import Stripe from 'stripe';
import { EVENT, STORE } from '../src/billing/webhooks/data/webhook-event.repository';
import type { StripeEvent } from '../src/billing/stripe/stripe-event';
import { WebhookEvent } from '../src/billing/webhooks/domain/webhook-event';
import { MAX_JOB_ATTEMPTS } from '../src/platform/jobs/job-retry';
import { pipeline, pipelined } from './baseline-pool';

/** The subscription of an event, locked until the end of the transaction. */
const LOCK = 'SELECT tenant_id AS "tenantId" FROM subscriptions WHERE processor_subscription_id = $1 FOR UPDATE';
const RENEW = 'UPDATE subscriptions SET current_period_end = $2, as_of = $3, updated_at = $4 WHERE tenant_id = $1';
const ENQUEUE = `
  SELECT graphile_worker.add_job('sync-subscription', payload => $1::json, job_key => $2,
    job_key_mode => 'preserve_run_at', run_at => now() + interval '5 seconds', max_attempts => ${MAX_JOB_ATTEMPTS})`;

/**
 * The baseline of a delivery: verifies the signature with Stripe's package, and stores the event
 * and the renewal in one transaction of two round trips, without any decisions.
 */
export function webhook(secret: string): RequestHandler[] {
  const receive: RequestHandler = async (request, response) => {
    const body = request.body as Buffer;
    const event = Stripe.webhooks.constructEvent(body, request.headers['stripe-signature']!, secret);
    if (event.type !== 'customer.subscription.updated')
      throw new Error(`The baseline supports renewals only, not ${event.type}.`);
    const client = await pipelined().connect();
    await applyEvent(client, event, body.toString());
    client.release();
    response.json({ success: true, data: null });
  };
  return [raw({ limit: '1mb', type: () => true }), receive];
}

async function applyEvent(
  client: PoolClient,
  { id: eventId, type, created, data: { object } }: Stripe.CustomerSubscriptionUpdatedEvent,
  payload: string,
) {
  const [at, now] = [new Date(created * 1000), new Date()];
  const ask = <Row extends object>(name: string, text: string, values: unknown[]) =>
    client.query<Row>({ name, text, values });
  const [, found] = await pipeline(client, () =>
    Promise.all([client.query('BEGIN'), ask<{ tenantId: string }>('lock-subscription', LOCK, [object.id])]),
  );
  const [{ tenantId }] = found.rows;
  const row = WebhookEvent.receive({ eventId, type, createdAt: at } as StripeEvent, now);
  row.settle({ status: 'processed', tenantId, error: null, isApplied: true });
  const periodEnd = new Date(object.items.data[0].current_period_end * 1000);
  const job = JSON.stringify({ command: { tenantId }, requestId: 'bench', version: 1 });
  await pipeline(client, () =>
    Promise.all([
      ask('renew', RENEW, [tenantId, periodEnd, at, now]),
      ask('enqueue', ENQUEUE, [job, `sync-subscription:${tenantId}`]),
      ask('store-event', STORE, [...EVENT.parameters(row), payload]),
      client.query('COMMIT'),
    ]),
  );
}
