import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { SeededRandom } from '../stripe/seeded-random';
import { FailedRequest, type ApiClient } from './api-client';
import { queryAllTenants } from './subscription-row';
import type { ChaosTenant } from './tenant-seed';
import { WebhookReceivers } from './webhook-receivers';

/** Tenants with webhook endpoints, at most. */
const MOST_TENANTS = 6;
const NAMES_PER_ROUND = 3;
const WEBHOOKS = '/tenants/current/webhooks';
/** Milliseconds between looks, and looks until deliveries that are left are a problem. */
const LOOK_MS = 300;
const MOST_LOOKS = 200;

/** Makes what waits for a retry due, in the last round for the last time before it has failed. */
const HURRY = (isLast: boolean) =>
  `UPDATE webhook_deliveries SET next_at = now() ${isLast ? ', attempt = 9' : ''} WHERE state = 'due'`;
/** Endpoints get events without their challenge, which a killed process sends a minute later. */
const VERIFY = (tenantId: string) => `
  WITH verified AS (UPDATE webhook_endpoints SET verified_at = now() WHERE tenant_id = '${tenantId}')
  UPDATE tenants SET webhook_types = ARRAY['*'] WHERE id = '${tenantId}'`;
const LEFT = `
  SELECT (SELECT count(*)::int FROM webhook_messages WHERE is_pending) AS pending,
         (SELECT count(*)::int FROM webhook_deliveries
           WHERE state = 'due' AND type <> 'webhook.verification') AS due`;

/** An endpoint as the service has created it. */
export interface ChaosEndpoint {
  readonly id: string;
  readonly secret: string;
  readonly path: string;
  readonly tenant: ChaosTenant;
}

/**
 * Some tenants with two endpoints each, one of which has bad habits. In each round their names
 * change, which every endpoint must be sent.
 */
export class WebhookTraffic {
  readonly endpoints: ChaosEndpoint[] = [];
  /** The new names by whether the service has answered. */
  readonly names = new Map<string, boolean>();
  readonly receivers: WebhookReceivers;

  constructor(
    private readonly api: ApiClient,
    private readonly database: Client,
    random: SeededRandom,
  ) {
    this.receivers = new WebhookReceivers(random, (path) => path.startsWith('/faulty/'));
  }

  async start(tenants: readonly ChaosTenant[]): Promise<void> {
    await this.receivers.start();
    for (const tenant of tenants.slice(0, MOST_TENANTS))
      for (const path of [`/healthy/${tenant.id}`, `/faulty/${tenant.id}`]) {
        const answer = await this.api.request(tenant.token, 'POST', WEBHOOKS, { url: this.receivers.urlOf(path) });
        await queryAllTenants(this.database, VERIFY(tenant.id));
        this.endpoints.push({ ...(answer as { id: string; secret: string }), path, tenant });
      }
  }

  /** Changes the names of the tenants several times. A request that is not answered may count. */
  async act(round: number): Promise<void> {
    const tenants = new Set(this.endpoints.map(({ tenant }) => tenant));
    await Promise.all(
      [...tenants].map(async (tenant) => {
        for (let n = 1; n <= NAMES_PER_ROUND; n++)
          await this.rename(tenant, `Round ${round} name ${n} of ${tenant.id}`);
      }),
    );
  }

  /** Lets the time pass until the next attempts. */
  async hurry(isLast: boolean): Promise<void> {
    await queryAllTenants(this.database, HURRY(isLast));
  }

  /** Ends the faults, and sends again what has failed. */
  async settle(): Promise<void> {
    this.receivers.heal();
    await this.untilSent();
    const span = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 60_000), onlyFailed: true };
    for (const { id, tenant } of this.endpoints)
      await this.api.repeated(tenant.token, 'POST', `${WEBHOOKS}/${id}/replay`, span);
  }

  /** Waits until nothing is due, after the jobs that send again. */
  async untilSent(): Promise<void> {
    for (let look = 0; look < MOST_LOOKS; look++) {
      const [{ pending, due }] = await queryAllTenants<{ pending: number; due: number }>(this.database, LEFT);
      if (pending + due === 0) return;
      if (look % 5 === 0) await this.hurry(false);
      await pause(LOOK_MS);
    }
  }

  private async rename({ token }: ChaosTenant, name: string): Promise<void> {
    this.names.set(name, false);
    try {
      await this.api.request(token, 'PATCH', '/tenants/current', { name });
      this.names.set(name, true);
    } catch (error) {
      if (!(error instanceof FailedRequest)) throw error;
    }
  }
}
