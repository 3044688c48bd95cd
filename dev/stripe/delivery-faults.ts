/**
 * The faults of webhook deliveries. Each is a probability from 0 to 1, decided per event by the
 * seeded generator.
 */
export interface DeliveryChaos {
  /** The event is delivered a second time, later. */
  duplicate: number;
  /** The event is delivered up to `maxDelayMs` late. */
  delay: number;
  /** The event is delivered after the customer's next one. */
  reorder: number;
  /** The event is never delivered. */
  drop: number;
  /** A copy with a wrong signature is delivered first. */
  wrongSignature: number;
  /** 'old': payloads have the format of the API version 2020-08-27. */
  apiVersion?: 'old';
  maxDelayMs: number;
}

/** Deliveries without faults. */
export const noChaos = (): DeliveryChaos => ({
  duplicate: 0,
  delay: 0,
  reorder: 0,
  drop: 0,
  wrongSignature: 0,
  maxDelayMs: 1000,
});
