import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import Stripe from 'stripe';
import type { ReceivedMail } from '../../dev/mail-inbox';
import { RENEWAL_PATH } from '../../dev/renewal-path';
import { StripeStandIn } from '../../dev/stripe/stripe-stand-in';
import { setTenantScopeSql } from '../../src/platform/database/set-tenant-scope';
import { EVERY_TENANT } from '../../src/platform/database/tenant-scope';
import { eventually } from '../support/eventually';
import { RUN_FOLDER } from './global-setup';
import { placesOf, startLocalMode, stopLocalMode, type Places } from './local-mode-process';

/** Local mode as `npm start` runs it, with its own folder and ports. */
export class LocalMode {
  private constructor(
    private readonly folder: string,
    private readonly places: Places,
    private readonly isShared: boolean,
  ) {}

  /**
   * Local mode for one file, with settings of its own. For files that move the clock of Stripe,
   * change what operators see of all tenants, or test other settings.
   */
  static async start(env: NodeJS.ProcessEnv = {}): Promise<LocalMode> {
    const folder = mkdtempSync(join(process.env[RUN_FOLDER]!, 'file-'));
    return new LocalMode(folder, await startLocalMode(folder, env), false);
  }

  /** Local mode that the files of a worker share, with new accounts, workspaces and emails. */
  static async shared(): Promise<LocalMode> {
    const folder = join(process.env[RUN_FOLDER]!, `worker-${process.env.JEST_WORKER_ID}`);
    const running = placesOf(folder);
    const local = new LocalMode(folder, running ?? (await startLocalMode(folder, {})), true);
    if (running) await local.renew();
    return local;
  }

  /** The URL of a part of local mode, by its name on the start page. */
  at(name: string): string {
    if (!(name in this.places)) throw new Error(`There is no ${name}, only ${Object.keys(this.places).join(', ')}.`);
    return this.places[name];
  }

  get home(): string {
    return this.at('Sample client').replace(/\/app$/, '');
  }

  /** Waits for an email with this subject and returns its link. @param about part of the subject */
  async emailedLink(to: string, about: string): Promise<string> {
    const mail = await this.email(to, about);
    return /https?:\/\/\S*token=[\w-]+/.exec(mail.text)![0];
  }

  /** Waits for an email with this subject and returns its 6-digit code. */
  async emailedCode(to: string, about: string): Promise<string> {
    const mail = await this.email(to, about);
    return /^\d{6}$/m.exec(mail.text)![0];
  }

  /** Deletes all emails, so that the next one is the only one. */
  async emptyInbox(): Promise<void> {
    await fetch(`${this.at('Email inbox')}/mails.json`, { method: 'DELETE' });
  }

  /** Waits for an email to this address. @param about part of the subject */
  async email(to: string, about: string): Promise<ReceivedMail> {
    return eventually(
      async () => {
        const mails = (await (await fetch(`${this.at('Email inbox')}/mails.json`)).json()) as ReceivedMail[];
        return mails.find((mail) => mail.to.includes(to) && mail.subject.toLowerCase().includes(about.toLowerCase()));
      },
      `an email to ${to} about ${about}`,
      20_000,
    );
  }

  /** Waits for `count` emails with a code to this address. @returns the code of the newest one */
  async newestCode(to: string, count: number): Promise<string> {
    const codes = async () => {
      const mails = (await (await fetch(`${this.at('Email inbox')}/mails.json`)).json()) as ReceivedMail[];
      return mails.filter((mail) => mail.to.includes(to)).flatMap(({ text }) => /\n(\d{6})\n/.exec(text)?.[1] ?? []);
    };
    return eventually(async () => (await codes())[count - 1] && (await codes())[0], `code ${count} to ${to}`, 20_000);
  }

  /** Presses a button on the Stripe stand-in. */
  async press(form: Record<string, string>): Promise<void> {
    await fetch(this.at('Stripe stand-in') + '/', {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'manual',
    });
  }

  /** Sends a request to the API. @returns the data of its success */
  async call(method: string, path: string, body: object, accessToken = ''): Promise<Record<string, string>> {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${accessToken}` };
    const response = await fetch(`${this.home}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
    const { success, data } = (await response.json()) as { success: boolean; data: Record<string, string> };
    expect([path, success]).toEqual([path, true]);
    return data;
  }

  /** Delivers a custom signed event. */
  async deliver(event: object): Promise<void> {
    const payload = JSON.stringify(event);
    const secret = new StripeStandIn().settings.PROCESSOR_WEBHOOK_SECRET;
    const signature = new Stripe('sk_test_none').webhooks.generateTestHeaderString({ payload, secret });
    const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': signature };
    const response = await fetch(`${this.home}/api/v1/webhooks/stripe`, { method: 'POST', body: payload, headers });
    if (!response.ok) throw new Error(await response.text());
  }

  /**
   * Waits until no job is due within a minute. Some follow the demo data by seconds, such as a
   * second reading of a subscription at Stripe, and would overwrite what `query` changes.
   */
  idle(): Promise<void> {
    return this.noJobs('1 minute');
  }

  /** Direct access for data that no route can create, such as a failed job. */
  async query<Row extends object>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    const client = new Client(readFileSync(join(this.folder, 'database-url'), 'utf8'));
    await client.connect();
    try {
      await client.query(`BEGIN; ${setTenantScopeSql(EVERY_TENANT)}`);
      const { rows } = await client.query<Row>(sql, parameters);
      await client.query('COMMIT');
      return rows;
    } finally {
      await client.end();
    }
  }

  /** Stops it, unless other files use it, too. */
  async stop(): Promise<void> {
    if (!this.isShared) await stopLocalMode(this.folder);
  }

  /** Waits until no job is due in a span of time. */
  private async noJobs(span: string): Promise<void> {
    const due = `SELECT FROM graphile_worker._private_jobs
      WHERE attempts < max_attempts AND run_at < now() + interval '${span}'`;
    await eventually(async () => (await this.query(due)).length === 0 || undefined, 'an empty job queue', 20_000);
  }

  private async renew(): Promise<void> {
    await this.noJobs('0 minutes'); // else one of the file before could send an email later
    const response = await fetch(`${this.home}${RENEWAL_PATH}`, { method: 'POST' });
    if (!response.ok) throw new Error(`No new demo data: ${await response.text()}`);
    await this.emptyInbox();
  }
}
