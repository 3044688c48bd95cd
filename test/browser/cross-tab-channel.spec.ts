import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import type { CrossTabChannel } from '../../client/src/cross-tab-channel';
import type { CrossTabLock } from '../../client/src/cross-tab-lock';
import { BrowserUser, type Page } from './browser-user';

const CLIENT = join(__dirname, '../../client/dist');
const ROUNDS = 100;

/** A tab that knows the newest round, and may work in a round if nobody has worked in it. */
interface Tab {
  newest: number;
  work: (round: number) => Promise<number>;
}

describe('a message that is sent with a lock held', () => {
  let server: Server;
  let browser: Browser;
  let tabs: Page[];
  beforeAll(async () => {
    server = createServer(({ url }, response) => {
      const isModule = url!.endsWith('.js');
      response.writeHead(200, { 'Content-Type': isModule ? 'text/javascript' : 'text/html' });
      response.end(isModule ? readFileSync(join(CLIENT, url!)) : '<title>Tab</title>');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    browser = await openBrowser();
    const user = await BrowserUser.open(browser);
    tabs = [user.page, await user.newTab(), await user.newTab()];
    for (const tab of tabs) await load(tab);
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  const load = async (tab: Page) => {
    await tab.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
    await tab.evaluate(`(async () => {
      const { CrossTabChannel } = await import('/cross-tab-channel.js');
      const { CrossTabLock } = await import('/cross-tab-lock.js');
      Object.assign(window, { CrossTabChannel, CrossTabLock });
    })()`);
    await tab.evaluate(() => {
      const modules = window as unknown as Tab & {
        CrossTabChannel: typeof CrossTabChannel<{ round: number }>;
        CrossTabLock: typeof CrossTabLock;
      };
      const lock = new modules.CrossTabLock('test');
      const channel = new modules.CrossTabChannel('test', ({ round }: { round: number }) => (modules.newest = round));
      modules.newest = 0;
      modules.work = (round) =>
        lock.run(async () => {
          if (modules.newest >= round) return 0;
          await new Promise((resolve) => setTimeout(resolve, 10)); // the other tabs wait for the lock by then
          modules.newest = round;
          await channel.deliver({ round });
          return 1;
        });
    });
  };

  it('arrives in the other tabs before one of them gets the lock', async () => {
    const counts: number[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const worked = await Promise.all(
        tabs.map((tab) => tab.evaluate((now) => (window as unknown as Tab).work(now), round)),
      );
      counts.push(worked.reduce((sum, count) => sum + count));
    }
    expect(counts).toEqual(Array<number>(ROUNDS).fill(1));
  });
});
