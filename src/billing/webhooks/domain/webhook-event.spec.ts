import type { StripeEvent } from '../../stripe/stripe-event';
import { WebhookEvent } from './webhook-event';

const NOW = new Date('2026-11-23T10:00:00Z');
const EVENT: StripeEvent = {
  eventId: 'evt_1',
  type: 'invoice.payment_failed',
  createdAt: new Date('2026-11-23T09:59:58Z'),
  isLive: true,
  account: null,
  object: {},
  before: {},
};

describe('WebhookEvent', () => {
  it('counts its first attempt when it is received', () => {
    expect(WebhookEvent.receive(EVENT, NOW)).toMatchObject({
      eventId: 'evt_1',
      type: 'invoice.payment_failed',
      createdAt: EVENT.createdAt,
      receivedAt: NOW,
      attempts: 1,
      tenantId: null,
      isApplied: false,
    });
  });

  it('is processed once its tenant is known, and only then', () => {
    const event = WebhookEvent.receive(EVENT, NOW);
    expect(event.isProcessed()).toBe(false);
    event.settle({ status: 'processed', tenantId: 't', error: null, isApplied: true });
    expect(event.isProcessed()).toBe(true);
    event.settle({ status: 'needs-attention', tenantId: 't', error: 'It names two tenants.' });
    expect(event.isProcessed()).toBe(false);
  });

  it('keeps a known tenant when a later attempt finds none', () => {
    const event = WebhookEvent.receive(EVENT, NOW);
    event.settle({ status: 'processed', tenantId: 't', error: null, isApplied: true });
    event.settle({ status: 'needs-attention', tenantId: null, error: 'unknown' });
    expect(event).toMatchObject({ tenantId: 't', status: 'needs-attention', error: 'unknown' });
  });

  it('is neither applied nor foreign unless a result says so', () => {
    const event = WebhookEvent.receive(EVENT, NOW);
    event.settle({ status: 'needs-attention', tenantId: null, error: 'x', isForeign: true });
    expect(event).toMatchObject({ isApplied: false, isForeign: true });
    event.settle({ status: 'processed', tenantId: 't', error: null });
    expect(event).toMatchObject({ isApplied: false, isForeign: false, error: null });
  });

  it('waits twice as long after each failure', () => {
    const event = WebhookEvent.receive(EVENT, NOW);
    expect(event.fail('no price')).toBe(60);
    expect(event).toMatchObject({ status: 'failed', error: 'no price', attempts: 1 });
    event.retry();
    expect(event.fail('no price')).toBe(120);
    expect(event.attempts).toBe(2);
  });

  it('needs an operator after the eighth failure', () => {
    const event = WebhookEvent.receive(EVENT, NOW);
    for (let attempt = 2; attempt <= 7; attempt++) event.retry();
    expect(event.fail('no price')).toBe(3840);
    expect(event.status).toBe('failed');
    event.retry();
    expect(event.fail('no price')).toBeUndefined();
    expect(event).toMatchObject({ status: 'needs-attention', error: 'no price', attempts: 8 });
  });
});
