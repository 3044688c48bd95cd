import { verifyWebhook, WebhookVerificationError } from '../../client/src/index';
import { newWebhookKeys, signatureOf, signingKeysOf, type WebhookKeys } from '../../src/webhooks/domain/webhook-keys';

const BODY = JSON.stringify({
  type: 'project.created',
  timestamp: '2026-01-31T09:30:00.000Z',
  tenantId: '0198c5d2-7c1e-7a52-b1f0-3a6d2f9e4b10',
  data: { id: '0198c5d2-7c1e-7a52-b1f0-3a6d2f9e4b11', name: 'Lööm', archived: false },
});
const now = () => Math.floor(Date.now() / 1000);

/** A request as the service sends it. */
const request = (keys: readonly WebhookKeys[], seconds = now(), body = BODY) => ({
  body,
  headers: {
    'webhook-id': 'm1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatureOf(keys.map(signingKeysOf), 'm1', seconds, body),
  },
});

describe('verifyWebhook of the typed client', () => {
  const [old, current, other] = [newWebhookKeys(), newWebhookKeys(), newWebhookKeys()];

  it('returns the event, whose type tells its data', async () => {
    const event = await verifyWebhook(request([current]), current.secret);
    if (event.type !== 'project.created') throw new Error(event.type);
    expect(event.data.name).toBe('Lööm');
    const { body, headers } = request([current]);
    expect(await verifyWebhook({ body, headers: new Headers(headers) }, current.secret)).toEqual(event);
  });

  it('returns a test of the endpoint as an event of its own type', async () => {
    const test = JSON.stringify({ ...JSON.parse(BODY), type: 'webhook.test', data: { endpointId: 'w1' } });
    const event = await verifyWebhook(request([current], now(), test), current.secret);
    if (event.type !== 'webhook.test') throw new Error(event.type);
    expect(event.data.endpointId).toBe('w1');
  });

  it('accepts both secrets during a rotation, and no other', async () => {
    for (const { secret } of [old, current]) await verifyWebhook(request([current, old]), secret);
    await expect(verifyWebhook(request([current, old]), other.secret)).rejects.toThrow('No signature fits.');
  });

  it('refuses another body, id or time', async () => {
    const { body, headers } = request([current]);
    for (const wrong of [
      { body: `${body} `, headers },
      { body, headers: { ...headers, 'webhook-id': 'm2' } },
      { body, headers: { ...headers, 'webhook-timestamp': String(now() - 1) } },
    ])
      await expect(verifyWebhook(wrong, current.secret)).rejects.toThrow('No signature fits.');
  });

  it.each([-301, 301])('refuses a request whose time differs by %i seconds', async (difference) => {
    const wrong = request([current], now() + difference);
    await expect(verifyWebhook(wrong, current.secret)).rejects.toThrow('The request is too old or too new.');
    await verifyWebhook(request([current], now() + Math.sign(difference) * 290), current.secret);
  });

  it('refuses a request without a header or with a broken one, and a broken secret', async () => {
    const { body, headers } = request([current]);
    for (const name of Object.keys(headers))
      await expect(verifyWebhook({ body, headers: { ...headers, [name]: undefined } }, current.secret)).rejects.toThrow(
        WebhookVerificationError,
      );
    for (const broken of ['v1,%%%', 'v2,AAAA', 'v1', ',', `v1a,${'A'.repeat(86)}==`])
      await expect(
        verifyWebhook({ body, headers: { ...headers, 'webhook-signature': broken } }, current.secret),
      ).rejects.toThrow('No signature fits.');
    await expect(verifyWebhook({ body, headers }, 'whsec_%')).rejects.toThrow('The secret is not one');
  });
});
