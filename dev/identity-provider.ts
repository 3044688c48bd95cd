import { createServer, type Server } from 'node:http';
import express from 'express';
import { refuseForeignHosts } from './loopback-host';
import { identityProviderApi, type FaultyRoute, type ProviderFault } from './identity-provider-api';
import {
  ADDRESSES,
  demoAccounts,
  IdentityProviderModel,
  PROVIDERS,
  queryOf,
  type ProviderAccount,
  type ProviderName,
} from './identity-provider-model';
import { identityProviderPages } from './identity-provider-pages';

export type { ProviderFault } from './identity-provider-api';
export type { ProviderAccount, ProviderName } from './identity-provider-model';

/**
 * A local replacement for Google and GitHub in local mode and tests: an authorization server
 * without passwords. It implements their protocol and paths, so that only the addresses in the
 * settings of the service differ.
 */
export class IdentityProvider {
  private readonly models = {
    google: new IdentityProviderModel('local-google', 'local-google-secret'),
    github: new IdentityProviderModel('local-github', 'local-github-secret'),
  };
  private readonly faults = new Map<FaultyRoute, ProviderFault>();
  private server?: Server;
  private port = 0;

  /** @param accounts the accounts to choose from. Tests change them while it runs */
  constructor(
    readonly accounts: Record<ProviderName, ProviderAccount[]> = {
      google: demoAccounts('google'),
      github: demoAccounts('github'),
    },
  ) {}

  get url(): string {
    return `http://localhost:${this.port}`;
  }

  /** The settings with which the service uses the stand-in. */
  get settings(): Record<string, string> {
    return {
      GOOGLE_CLIENT_ID: this.models.google.clientId,
      GOOGLE_CLIENT_SECRET: this.models.google.clientSecret,
      GOOGLE_AUTHORIZATION_URL: this.url + ADDRESSES.google.authorize,
      GOOGLE_TOKEN_URL: this.url + ADDRESSES.google.token,
      GOOGLE_PROFILE_URL: this.url + ADDRESSES.google.profile,
      GITHUB_CLIENT_ID: this.models.github.clientId,
      GITHUB_CLIENT_SECRET: this.models.github.clientSecret,
      GITHUB_AUTHORIZATION_URL: this.url + ADDRESSES.github.authorize,
      GITHUB_TOKEN_URL: this.url + ADDRESSES.github.token,
      GITHUB_PROFILE_URL: this.url + ADDRESSES.github.profile,
      GITHUB_EMAILS_URL: this.url + ADDRESSES.github.emails,
    };
  }

  /** @param port 0 for any free port. Default: the port it had before `stop` */
  async start(port = this.port): Promise<void> {
    const app = express().disable('x-powered-by').use(refuseForeignHosts);
    app.use(identityProviderPages(this.models, this.accounts), identityProviderApi(this.models, this.faults));
    const server = createServer(app);
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
    this.port = (server.address() as { port: number }).port;
    this.server = server;
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections(); // a slow response would keep its connection open
    await closed;
  }

  /** Makes a route of both providers fail until this is called with undefined. */
  injectFault(route: FaultyRoute, how: ProviderFault | undefined): void {
    if (how) this.faults.set(route, how);
    else this.faults.delete(route);
  }

  /**
   * Chooses an account on the page, without a browser.
   * @param authorizationUrl where the service sent the browser
   * @returns the address to which the provider redirects
   */
  async pick(authorizationUrl: string, account: ProviderAccount): Promise<string> {
    const { origin, pathname } = new URL(authorizationUrl);
    const provider = PROVIDERS.find((name) => origin === this.url && pathname === ADDRESSES[name].authorize);
    if (!provider) throw new Error(`No provider has the address ${authorizationUrl}.`);
    const problem = this.models[provider].problemWith(queryOf(authorizationUrl));
    if (problem) throw new Error(problem);
    return this.models[provider].answer(queryOf(authorizationUrl), account);
  }
}
