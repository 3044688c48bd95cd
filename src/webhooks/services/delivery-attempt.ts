import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { OutboundClient } from '../../platform/outbound/outbound-client';
import { secondsOfRetryAfter } from '../domain/delivery-retry';
import { isAnswerTo } from '../domain/challenge-answer';
import type { SignedReceiver } from '../domain/signed-receiver';
import type { LoggedAttempt } from '../domain/webhook-delivery';
import { signatureOf } from '../domain/webhook-keys';
import { EndpointKeys } from './endpoint-keys';

/** Bytes of an answer that the log keeps. */
const KEPT_BYTES = 1024;
const WRONG_ANSWER = 'The body of the answer is not the challenge.';

/** An attempt with what the receiver asks for. */
export interface FinishedAttempt {
  readonly attempt: LoggedAttempt;
  /** Seconds of Retry-After. */
  readonly retryAfter: number | undefined;
}

/** What is sent: the header `webhook-id`, the body, and further headers. */
export interface SignedMessage {
  readonly id: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** With what the receiver must answer. */
  readonly challenge?: string;
}

/** Sends a message to a receiver, signed as Standard Webhooks 1.0 says. */
@Injectable()
export class DeliveryAttempt {
  constructor(
    private readonly client: OutboundClient,
    private readonly keys: EndpointKeys,
    private readonly clock: Clock,
  ) {}

  /**
   * Only an answer with a status of 2xx, and with the challenge if there is one, is a success;
   * redirects are not followed.
   */
  async send(
    receiver: SignedReceiver,
    { id, body, headers: further, challenge }: SignedMessage,
  ): Promise<FinishedAttempt> {
    const [started, seconds] = [performance.now(), this.clock.nowInSeconds()];
    const headers = {
      ...further,
      'Content-Type': 'application/json',
      'User-Agent': 'Tenantry-Webhooks',
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signatureOf(this.keys.inForce(receiver), id, seconds, body),
    };
    const answer = await this.client.post({ url: receiver.url, headers, body });
    const now = this.clock.now();
    const timing = { at: now.toISOString(), milliseconds: Math.round(performance.now() - started) };
    if (!answer.ok) {
      const attempt = { ...timing, status: null, error: answer.failure.message, response: '' };
      return { attempt, retryAfter: undefined };
    }
    const { status, headers: answered, body: text } = answer.value;
    const isSuccess = status >= 200 && status < 300;
    const isWrong = isSuccess && challenge !== undefined && !isAnswerTo(challenge, text);
    const refusal = isSuccess ? null : `The receiver answered with the status ${status}.`;
    const error = isWrong ? WRONG_ANSWER : refusal;
    const attempt = { ...timing, status, error, response: beginningOf(text) };
    return { attempt, retryAfter: secondsOfRetryAfter(answered['retry-after'], now) };
  }
}

/** PostgreSQL stores no NUL, and no half of a character. */
const beginningOf = (text: string) => Buffer.from(text).subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '');
