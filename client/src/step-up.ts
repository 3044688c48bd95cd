import type { ErrorCode } from './api-answer.js';
import { responseCode } from './response-code.js';

/**
 * Asks the user to confirm their identity, and calls POST /auth/step-up.
 * @returns whether it was confirmed, so that the request is sent again
 */
export type StepUpQuestion = () => Promise<boolean>;

/** The operations that answer the question. They never ask it. */
const STEP_UP_PATH = '/auth/step-up';
const REFUSAL: string = 'STEP_UP_REQUIRED' satisfies ErrorCode;

/**
 * Repeats requests that need a recent proof of the identity (docs/clients.md, Step-up). However
 * many requests need it, the user is asked once.
 */
export class StepUp {
  /** The question that is open, or the last one. */
  private answer: Promise<boolean> = Promise.resolve(false);
  private isOpen = false;
  /** How many questions were answered. */
  private answered = 0;

  /** @param ask undefined: requests are refused */
  constructor(private readonly ask: StepUpQuestion | undefined) {}

  /**
   * Sends a request. If the service refuses it with STEP_UP_REQUIRED and the user confirms, it is
   * sent once more.
   * @returns the response; that of the refusal if the user does not confirm
   */
  async fetch(path: string, request: Request, send: (attempt: Request) => Promise<Response>): Promise<Response> {
    if (!this.ask || path.startsWith(STEP_UP_PATH)) return send(request);
    const retry = request.clone();
    const { answered } = this;
    const response = await send(request);
    if (response.status !== 403 || (await responseCode(response)) !== REFUSAL) return response;
    return (await this.isConfirmed(this.ask, answered)) ? send(retry) : response;
  }

  /** @param since how many questions were answered when the request was sent */
  private isConfirmed(ask: StepUpQuestion, since: number): Promise<boolean> {
    if (this.isOpen || this.answered > since) return this.answer;
    this.isOpen = true;
    this.answer = Promise.resolve()
      .then(ask)
      .catch(() => false)
      .finally(() => {
        this.isOpen = false;
        this.answered++;
      });
    return this.answer;
  }
}
