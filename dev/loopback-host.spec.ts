import { get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { IdentityProvider } from './identity-provider';
import { serveInbox } from './inbox-page';
import { MailInbox } from './mail-inbox';
import { StripeStandIn } from './stripe/stripe-stand-in';
import { WebhookCatcher } from './webhook-catcher';

const statusOf = (port: number, host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/', headers: { Host: host } }, (response) =>
      resolve(response.resume().statusCode),
    ).on('error', reject);
  });

describe('The servers of local mode', () => {
  const identityProvider = new IdentityProvider();
  const processor = new StripeStandIn();
  let inbox: Server;
  let ports: Readonly<Record<string, number>>;
  beforeAll(async () => {
    await identityProvider.start(0);
    await processor.start(0);
    inbox = await serveInbox({ inbox: new MailInbox(), catcher: new WebhookCatcher(), galleryUrl: '/' }, 0);
    ports = {
      inbox: (inbox.address() as AddressInfo).port,
      identityProvider: Number(new URL(identityProvider.url).port),
      processor: Number(new URL(processor.url).port),
    };
  });
  afterAll(async () => {
    inbox.close();
    await identityProvider.stop();
    await processor.stop();
  });

  it.each(['inbox', 'identityProvider', 'processor'])(
    'answer no other name than that of this machine: %s',
    async (name) => {
      for (const host of ['localhost', `localhost:${ports[name]}`, '127.0.0.1', '[::1]:80', 'LOCALHOST'])
        expect([host, await statusOf(ports[name], host)]).not.toEqual([host, 421]);
      for (const host of ['evil.test', 'localhost.evil.test', '127.0.0.1.evil.test', '192.168.0.2', 'evil.test:80'])
        expect([host, await statusOf(ports[name], host)]).toEqual([host, 421]);
    },
  );
});
