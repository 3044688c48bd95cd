import { UnitOfWork } from '../../src/platform/database/unit-of-work';
import { WebhookDeliveryRepository } from '../../src/webhooks/data/webhook-delivery.repository';
import { DeliveryLoop } from '../../src/webhooks/services/delivery-loop';
import type { Member } from './actors';
import type { TestApp } from './app';
import { eventually } from './eventually';
import { markVerified } from './verified-endpoint';
import { WebhookReceiver } from './webhook-receiver';

export const WEBHOOKS_PATH = '/tenants/current/webhooks';
/** The settings of a service that sends to receivers on this machine. */
export const WITH_LOCAL_RECEIVERS = { WEBHOOK_ALLOW_LOOPBACK: 'true' };

/** An endpoint as its creation shows it. */
export interface NewEndpoint {
  readonly id: string;
  readonly secret: string;
  readonly publicKey: string;
}

/** A delivery as lists show it. */
interface ListedDelivery {
  readonly id: string;
  readonly messageId: string;
  readonly type: string;
  readonly state: string;
  readonly attempt: number;
  readonly nextAt: string | null;
  readonly createdAt: string;
}

/** Adds messages with deliveries to an endpoint, which are due at a time. */
const ADD_DUE = `
  WITH added AS (
    INSERT INTO webhook_messages (tenant_id, id, type, body, is_pending)
    SELECT $1, gen_random_uuid(), 'project.created', '{}', false FROM generate_series(1, $4::int) RETURNING id)
  INSERT INTO webhook_deliveries
    (tenant_id, id, endpoint_id, message_id, type, state, attempt, next_at, log, created_at)
  SELECT $1, gen_random_uuid(), $2, id, 'project.created', 'due', 0, $3, '[]', $5 FROM added`;

/** Actions and queries of tests of webhooks: a tenant of its own for each test, with a receiver. */
export class WebhookDeliveries {
  private readonly receivers: WebhookReceiver[] = [];

  private constructor(
    private readonly t: TestApp,
    public owner: Member,
    readonly receiver: WebhookReceiver,
  ) {
    this.receivers.push(receiver);
  }

  static async start(t: TestApp): Promise<WebhookDeliveries> {
    return new WebhookDeliveries(t, await t.actors.owner(), await WebhookReceiver.start());
  }

  /** Stops the receivers. */
  stop(): void {
    this.receivers.forEach((one) => one.stop());
  }

  /** Starts another receiver. */
  async startReceiver(answer?: WebhookReceiver['answer']): Promise<WebhookReceiver> {
    const receiver = await WebhookReceiver.start(answer);
    this.receivers.push(receiver);
    return receiver;
  }

  /** Signs the owner in after the clock was moved. */
  async signInAgain(): Promise<Member> {
    const { user, tenantId } = this.owner;
    this.owner = { ...(await this.t.actors.signIn(user.email)), user, tenantId };
    return this.owner;
  }

  /** Creates a verified endpoint for all events of the receiver. @param wanted other fields */
  async endpoint(wanted: object = {}, by = this.owner): Promise<NewEndpoint> {
    const endpoint = await this.unverified(wanted, by);
    await markVerified(this.t, endpoint);
    return endpoint;
  }

  /** Creates an endpoint, whose receiver has to answer the challenge. */
  async unverified(wanted: object = {}, by = this.owner): Promise<NewEndpoint> {
    const details = { url: this.receiver.url, ...wanted };
    return (await this.t.api.post(WEBHOOKS_PATH).set(by.bearer).send(details).expect(200)).body.data as NewEndpoint;
  }

  /** Creates a project, which is an event. @returns its id */
  async project(name = 'Loom', by = this.owner): Promise<string> {
    const { body } = await this.t.api.post('/tenants/current/projects').set(by.bearer).send({ name }).expect(200);
    return body.data.id as string;
  }

  async deliveries({ id }: NewEndpoint, query = ''): Promise<ListedDelivery[]> {
    const { body } = await this.t.api
      .get(`${WEBHOOKS_PATH}/${id}/deliveries${query}`)
      .set(this.owner.bearer)
      .expect(200);
    return body.data.items as ListedDelivery[];
  }

  /** The parts of the service that hand out deliveries. */
  get parts(): { deliveries: WebhookDeliveryRepository; unitOfWork: UnitOfWork } {
    return {
      deliveries: this.t.nest.get(WebhookDeliveryRepository, { strict: false }),
      unitOfWork: this.t.nest.get(UnitOfWork, { strict: false }),
    };
  }

  /** Adds deliveries to an endpoint, which are due at a time. */
  waiting({ id }: NewEndpoint, count: number, at: Date, database: Pick<UnitOfWork, 'query'> = this.t.database) {
    return database.query(ADD_DUE, [this.owner.tenantId, id, at, count, this.t.clock.now()]);
  }

  /** Waits until a receiver has got so many requests. */
  arrived(count: number, at = this.receiver) {
    return eventually(() => at.requests.length >= count || undefined, `${count} requests`);
  }

  /** Waits until the last delivery is in a state, after so many attempts. */
  settled(of: NewEndpoint, state: string, attempt: number): Promise<ListedDelivery> {
    return eventually(async () => {
      const [last] = await this.deliveries(of);
      return last?.state === state && last.attempt === attempt ? last : undefined;
    }, `a delivery that is ${state} after ${attempt} attempts`);
  }

  /** Moves the clock and looks for what is due. */
  later(seconds: number): void {
    this.t.clock.advance(seconds);
    this.t.nest.get(DeliveryLoop, { strict: false }).wake();
  }
}
