import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';

/** How many requests are kept. */
const KEPT = 100;

/** How the catcher answers. */
export const ANSWERS = ['ok', 'error', 'gone', 'redirect', 'hang'] as const;
export type Answer = (typeof ANSWERS)[number];

/** Whether a request is signed with a secret that the catcher knows. */
export type SignatureState = 'verified' | 'wrong' | 'unknown' | 'missing';

/** A request as it arrived. */
interface Caught {
  readonly id: number;
  readonly receivedAt: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** How it was answered. */
  readonly answer: Answer;
}

/** The same with the state of its signature, for the page. */
export type ShownRequest = Caught & { readonly signature: SignatureState };

/** A receiver of webhooks for local mode: it keeps requests, verifies them, and fails on demand. */
export class WebhookCatcher {
  private readonly caught: Caught[] = [];
  private readonly secrets: Set<string>;
  private count = 0;
  private answer: Answer = 'ok';
  /** How many requests still get the answer; null: all. */
  private left: number | null = null;

  /** @param file keeps the secrets over restarts. Without it they are in memory only */
  constructor(private readonly file?: string) {
    const stored = file && existsSync(file) ? readFileSync(file, 'utf8') : '';
    this.secrets = new Set(stored.split('\n').filter(Boolean));
  }

  /** The requests, newest first. */
  get requests(): ShownRequest[] {
    return this.caught.map((request) => ({ ...request, signature: this.signatureOf(request) })).reverse();
  }

  /** What the next request gets, and for how many requests (null: until it is changed). */
  get next(): { readonly answer: Answer; readonly left: number | null } {
    return { answer: this.answer, left: this.left };
  }

  /** The challenge of an endpoint, which an answer of 200 must have as its body; empty: none. */
  challengeIn(body: string): string {
    try {
      const { type, data } = JSON.parse(body) as { type?: unknown; data?: { challenge?: unknown } };
      return type === 'webhook.verification' && typeof data?.challenge === 'string' ? data.challenge : '';
    } catch {
      return '';
    }
  }

  /** Keeps a request. @returns how to answer it */
  catch(path: string, headers: IncomingHttpHeaders, body: string): Answer {
    const { answer } = this;
    if (this.left !== null && --this.left === 0) this.answerWith('ok', null);
    this.caught.push({ id: ++this.count, receivedAt: new Date().toISOString(), path, headers, body, answer });
    if (this.caught.length > KEPT) this.caught.shift();
    return answer;
  }

  /** @param count how many requests get the answer, the later ones 200; null: all */
  answerWith(answer: Answer, count: number | null): void {
    this.answer = answer;
    this.left = answer === 'ok' ? null : count;
  }

  /** Verifies requests with this secret, too. @returns false if it is none (`whsec_…`) */
  trust(secret: string): boolean {
    if (!/^whsec_[A-Za-z0-9+/]{20,}={0,2}$/.test(secret)) return false;
    this.secrets.add(secret);
    if (this.file) writeFileSync(this.file, [...this.secrets].join('\n'), { mode: 0o600 });
    return true;
  }

  /** Forgets all requests. */
  clear(): void {
    this.caught.length = 0;
  }

  /** Whenever it arrived: a secret may be known only afterwards. */
  private signatureOf({ headers, body }: Caught): SignatureState {
    const [id, time, signatures] = ['id', 'timestamp', 'signature'].map((name) => headers[`webhook-${name}`]);
    if (typeof id !== 'string' || typeof signatures !== 'string' || !/^\d+$/.test(String(time))) return 'missing';
    const at = new Date(Number(time) * 1000);
    const given = signatures.split(' ');
    const fits = (secret: string) => given.includes(new Webhook(secret).sign(id, at, body));
    if ([...this.secrets].some(fits)) return 'verified';
    return this.secrets.size === 0 ? 'unknown' : 'wrong';
  }
}
