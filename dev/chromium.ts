import { chromium, type Browser } from 'playwright-core';

/**
 * In a sandbox of its own it would not start as root; the others keep it from asking the network
 * for what nobody needs here.
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

/** A browser of one's own, for tests and measurements; `CHROMIUM` names another than Debian's. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
