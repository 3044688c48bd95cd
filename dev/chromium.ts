import { chromium, type Browser } from 'playwright-core';

/**
 * Chromium does not start as root with its sandbox. The other options turn off its own network
 * requests.
 */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Starts a browser for tests and benchmarks. `CHROMIUM` is the path of another one than Debian's.
 */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
