/**
 * What can go wrong with deliveries; probabilities from 0 to 1, decided per event by the seeded
 * generator.
 */
export interface DeliveryChaos {
  /** It comes once more, later. */
  duplicate: number;
  /** It comes up to `maxDelayMs` late. */
  delay: number;
  /** The customer's next event overtakes it. */
  reorder: number;
  /** It never comes. */
  drop: number;
  /** Somebody else's copy with a wrong signature comes first. */
  wrongSignature: number;
  /** 'old': payloads have the shapes of the API version 2020-08-27 */
  apiVersion?: 'old';
  maxDelayMs: number;
}

export const noChaos = (): DeliveryChaos => ({
  duplicate: 0,
  delay: 0,
  reorder: 0,
  drop: 0,
  wrongSignature: 0,
  maxDelayMs: 1000,
});
