import { setTimeout as pause } from 'node:timers/promises';
import type { ChaosTenant } from '../chaos/tenant-seed';
import type { SeededRandom } from '../stripe/seeded-random';
import { newSessions } from '../new-sessions';
import { newTenants } from './seed-data';
import { StripeEvents, type Subscribed } from './stripe-events';
import type { Environment } from './environment';
import type { RequestCounter } from './request-counter';
import { waitUntil } from './wait-until';

const TENANTS = 250;
const SESSIONS = 6;
/**
 * Pause between two actions of the same kind, and before an event is delivered again.
 */
const PAUSE_MS = 400;
/** Attempts to deliver an event after all other actions have ended. */
const LAST_ATTEMPTS = 25;

/**
 * Users who register, invite and refresh their sessions, and a stand-in for Stripe that delivers
 * events, continuously and at all instances.
 */
export class SimulatedUsers {
  /**
   * Addresses that must receive a mail: of acknowledged registrations and invitations.
   */
  readonly mailed: string[] = [];
  /** Events that the service accepted. */
  readonly accepted: Subscribed[] = [];
  /** Number of events that the service never accepted. */
  rejected = 0;
  readonly payments: StripeEvents;
  private isStopped = false;
  private running: Promise<unknown>[] = [];
  private count = 0;

  private constructor(
    private readonly environment: Environment,
    private readonly counter: RequestCounter,
    private readonly name: string,
    private readonly random: SeededRandom,
    private readonly tenants: readonly ChaosTenant[],
    private readonly sessions: readonly string[],
  ) {
    this.payments = new StripeEvents(environment, counter, name);
  }

  /** @param name unique within the run */
  static async create(
    environment: Environment,
    counter: RequestCounter,
    name: string,
    random: SeededRandom,
  ): Promise<SimulatedUsers> {
    return new SimulatedUsers(
      environment,
      counter,
      name,
      random,
      await newTenants(environment, name, TENANTS),
      await newSessions((sql, parameters) => environment.postgres.sql(sql, parameters), SESSIONS),
    );
  }

  start(): void {
    this.running = [
      this.repeat(() => this.register()),
      this.repeat((time) => this.invite(time)),
      this.repeat((time) => this.deliverEvent(time)),
      ...this.sessions.map((token, index) => this.staySignedIn(token, index)),
    ];
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.running);
  }

  /** @returns the email address if the registration was acknowledged */
  register(email = this.newAddress()): Promise<string | undefined> {
    return this.mail(201, '/auth/register', {}, { email, password: 'correct horse battery', name: 'Visitor' });
  }

  /** Whether each address has received a mail within `withinMs`. */
  haveMail(emails: readonly string[], withinMs: number): Promise<boolean> {
    return waitUntil(() => this.withoutMail(emails) === 0, withinMs);
  }

  withoutMail(emails: readonly string[] = this.mailed): number {
    const served = new Set(this.environment.inbox.mails.map(({ to }) => to));
    return emails.filter((email) => !served.has(email)).length;
  }

  private invite(time: number): Promise<string | undefined> {
    const { token } = this.tenants[time % TENANTS];
    return this.mail(
      200,
      '/tenants/current/invitations',
      { Authorization: `Bearer ${token}` },
      { email: this.newAddress() },
    );
  }

  private async mail(
    expected: number,
    path: string,
    headers: Record<string, string>,
    body: { email: string; [field: string]: string },
  ): Promise<string | undefined> {
    const { status } = await this.counter.ask({ address: this.randomAddress(), path, headers, body }, expected);
    if (status !== expected) return undefined;
    this.mailed.push(body.email);
    return body.email;
  }

  private newAddress(): string {
    return `${this.name}-${++this.count}@faults.example`;
  }

  /** Delivers an event until it is accepted. */
  private async deliverEvent(time: number): Promise<void> {
    if (time >= TENANTS) return;
    const event = this.payments.subscribe(this.tenants[time]);
    for (let more = LAST_ATTEMPTS; more > 0; more -= this.isStopped ? 1 : 0) {
      if ((await this.payments.deliver(event, this.randomAddress())).status === 200) {
        this.accepted.push(event);
        return;
      }
      await pause(PAUSE_MS);
    }
    this.rejected++;
  }

  /**
   * Refreshes a session. A 503 is repeated at the same instance and must not sign the user out. If
   * a kill leaves the outcome unknown, the session ends here: the user would have to sign in.
   */
  private async staySignedIn(token: string, index: number): Promise<void> {
    const { address } = this.environment.services[index % this.environment.services.length];
    while (!this.isStopped) {
      const { status, data, isLost } = await this.counter.ask(
        { address, path: '/auth/refresh', body: { refreshToken: token } },
        200,
      );
      if (status === 200) token = (data as { refreshToken: string }).refreshToken;
      if (status === 401 || isLost) return;
      await pause(PAUSE_MS);
    }
  }

  private async repeat(action: (time: number) => Promise<unknown>): Promise<void> {
    const actions: Promise<unknown>[] = [];
    for (let time = 0; !this.isStopped; time++) {
      actions.push(action(time));
      await pause(PAUSE_MS);
    }
    await Promise.all(actions);
  }

  private randomAddress(): string {
    return this.environment.services[Math.floor(this.random.next() * this.environment.services.length)].address;
  }
}
