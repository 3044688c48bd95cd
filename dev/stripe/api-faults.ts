import { DelayedResponse } from './delayed-response';

/** How the API fails a request. */
export type ApiFault =
  | 'rate-limit' // 429
  | 'error' // 500
  | 'hang' // never responds
  | 'disconnect' // closes the connection without doing anything
  | 'disconnect-after'; // does its work and closes the connection without a response

/** The faults that are left to inject. */
export class ApiFaults {
  private readonly pending: { kind: ApiFault; count: number; only?: string }[] = [];
  private readonly delayed: DelayedResponse[] = [];

  /** @param only part of a route (`POST /v1/customers/{id}`), to fail only its requests */
  inject(kind: ApiFault, count: number, only?: string): void {
    if (count > 0) this.pending.push({ kind, count, only });
  }

  /** Delays the next response of a route, such as `GET /v1/subscriptions`. */
  delay(route: string): DelayedResponse {
    const delayed = new DelayedResponse(route);
    this.delayed.push(delayed);
    return delayed;
  }

  nextDelayed(template: string): DelayedResponse | undefined {
    const index = this.delayed.findIndex(({ route }) => route === template);
    return index === -1 ? undefined : this.delayed.splice(index, 1)[0];
  }

  next(template: string): ApiFault | undefined {
    const index = this.pending.findIndex(({ only }) => only === undefined || template.includes(only));
    if (index === -1) return undefined;
    const found = this.pending[index];
    found.count -= 1;
    if (found.count === 0) this.pending.splice(index, 1);
    return found.kind;
  }
}
