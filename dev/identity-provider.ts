import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { OAuthError } from '@node-oauth/oauth2-server';
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import Handlebars from 'handlebars';
import { accountFor, demoAccounts, IdentityProviderModel, type ProviderAccount, type ProviderName } from './identity-provider-model';

export type { ProviderAccount, ProviderName } from './identity-provider-model';

/** How an address of the provider answers instead of properly. */
export type Misbehaviour =
  | 'down' // closes the connection
  | 'slow' // never answers
  | 'garbage' // 200 with HTML
  | 'null' // 200 with the JSON null
  | 'error'; // 500

const ADDRESSES = {
  google: { title: 'Google', authorize: '/google/authorize', token: '/google/token' },
  github: { title: 'GitHub', authorize: '/github/login/oauth/authorize', token: '/github/login/oauth/access_token' },
};
const PROVIDERS: ProviderName[] = ['google', 'github'];

/**
 * Stands in for Google and GitHub in local mode and in the tests: an authorization server that asks for no password. It speaks their protocol
 * and has their addresses' shapes, so the service talks to it as to them; only the addresses in its settings differ.
 */
export class IdentityProvider {
  private readonly models = {
    google: new IdentityProviderModel('local-google', 'local-google-secret'),
    github: new IdentityProviderModel('local-github', 'local-github-secret'),
  };
  private readonly misbehaviours = new Map<string, Misbehaviour>();
  private server?: Server;
  private port = 0;

  /** @param accounts who can be picked; the tests change them while it runs */
  constructor(readonly accounts: Record<ProviderName, ProviderAccount[]> = { google: demoAccounts('google'), github: demoAccounts('github') }) {}

  get url(): string {
    return `http://localhost:${this.port}`;
  }

  /** The settings by which the service uses it. */
  get settings(): Record<string, string> {
    return {
      GOOGLE_CLIENT_ID: this.models.google.clientId,
      GOOGLE_CLIENT_SECRET: this.models.google.clientSecret,
      GOOGLE_AUTHORIZATION_URL: this.url + ADDRESSES.google.authorize,
      GOOGLE_TOKEN_URL: this.url + ADDRESSES.google.token,
      GOOGLE_PROFILE_URL: `${this.url}/google/userinfo`,
      GITHUB_CLIENT_ID: this.models.github.clientId,
      GITHUB_CLIENT_SECRET: this.models.github.clientSecret,
      GITHUB_AUTHORIZATION_URL: this.url + ADDRESSES.github.authorize,
      GITHUB_TOKEN_URL: this.url + ADDRESSES.github.token,
      GITHUB_PROFILE_URL: `${this.url}/github/user`,
      GITHUB_EMAILS_URL: `${this.url}/github/user/emails`,
    };
  }

  /** @param port 0 for any free one; without it the one it had before a stop */
  async start(port = this.port): Promise<void> {
    const server = createServer(this.app());
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
    this.port = (server.address() as { port: number }).port;
    this.server = server;
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections(); // a slow answer would hold its connection open for good
    await closed;
  }

  /** Lets an address of both providers misbehave until told otherwise (undefined). */
  misbehave(what: 'token' | 'profile' | 'emails', how: Misbehaviour | undefined): void {
    if (how) this.misbehaviours.set(what, how);
    else this.misbehaviours.delete(what);
  }

  /**
   * What a person does who picks an account on the page.
   * @param authorizationUrl where the service sent the browser
   * @returns where the provider sends it back to
   */
  async pick(authorizationUrl: string, account: ProviderAccount): Promise<string> {
    const { origin, pathname } = new URL(authorizationUrl);
    const provider = PROVIDERS.find((name) => origin === this.url && pathname === ADDRESSES[name].authorize);
    if (!provider) throw new Error(`Nobody can sign in at ${authorizationUrl}.`);
    const problem = this.models[provider].problemWith(queryOf(authorizationUrl));
    if (problem) throw new Error(problem);
    return this.models[provider].answer(queryOf(authorizationUrl), account);
  }

  private app(): Express {
    const app = express().disable('x-powered-by');
    const form = express.urlencoded({ extended: false });
    app.get('/', (_request, response) => this.show(response, { providers: PROVIDERS.map((name) => this.describe(name)) }));
    for (const provider of PROVIDERS) {
      const { authorize, token } = ADDRESSES[provider];
      app.all(authorize, (request, response, next) => {
        const problem = this.models[provider].problemWith(queryOf(this.url + request.originalUrl));
        if (problem) this.show(response.status(400), { problem });
        else next();
      });
      app.get(authorize, (_request, response) => this.show(response, { provider: this.describe(provider) }));
      app.post(authorize, form, async (request, response) => {
        const { cancel, ...picked } = (request.body ?? {}) as Record<string, string>;
        const account = cancel === undefined ? this.accountPicked(provider, picked) : null;
        if (account === undefined) this.show(response.status(400), { problem: 'Go back, and pick an account or type a name and an email address.' });
        else response.redirect(303, await this.models[provider].answer(queryOf(this.url + request.originalUrl), account));
      });
      app.post(token, this.unlessMisbehaving('token'), form, (request, response) => this.exchange(provider, request, response));
    }
    app.get('/google/userinfo', this.unlessMisbehaving('profile'), async (request, response) => {
      const { id, name, email, isEmailVerified, pictureUrl } = await this.models.google.accountOf(request);
      response.json({ sub: id, name, ...(email !== null && { email, email_verified: isEmailVerified }), picture: pictureUrl });
    });
    app.get('/github/user', this.unlessMisbehaving('profile'), async (request, response) => {
      const { id, name, pictureUrl } = await this.models.github.accountOf(request);
      response.json({ id: Number(id), login: name.toLowerCase().replace(/[^a-z0-9]+/g, '-'), name, email: null, avatar_url: pictureUrl });
    });
    app.get('/github/user/emails', this.unlessMisbehaving('emails'), async (request, response) => {
      const { id, email, isEmailVerified } = await this.models.github.accountOf(request);
      const primary = { email, primary: true, verified: isEmailVerified, visibility: 'private' };
      const secondary = { email: `${id}@users.noreply.github.example`, primary: false, verified: true, visibility: null };
      response.json(email === null ? [] : [primary, secondary]);
    });
    app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
      if (!(error instanceof OAuthError)) return next(error);
      response.status(error.code).json({ error: error.name, error_description: error.message });
    });
    return app;
  }

  private async exchange(provider: ProviderName, request: Request, response: Response): Promise<void> {
    const { status, body } = await this.models[provider].exchange(request);
    response.set('Cache-Control', 'no-store').status(provider === 'github' ? 200 : status); // GitHub says 200 to everything
    if (provider === 'google' || request.get('accept')?.includes('application/json')) response.json(body);
    else response.type('application/x-www-form-urlencoded').send(new URLSearchParams(body).toString());
  }

  /** Who was picked on the page, or typed in there; who was typed in stays. */
  private accountPicked(provider: ProviderName, picked: Partial<Record<string, string>>): ProviderAccount | undefined {
    const accounts = this.accounts[provider];
    if (picked.account !== undefined) return accounts.find(({ id }) => id === picked.account);
    const [name, email] = [picked.name, picked.email].map((typed) => String(typed ?? '').trim());
    if (!name || !email) return undefined;
    const known = accounts.find((account) => account.email?.toLowerCase() === email.toLowerCase());
    if (known) return known;
    const added = accountFor(provider, name, email, picked.isEmailVerified !== undefined);
    accounts.push(added);
    return added;
  }

  private unlessMisbehaving(what: string): RequestHandler {
    return (request, response, next) => {
      switch (this.misbehaviours.get(what)) {
        case undefined:
          return next();
        case 'down':
          return void request.socket.destroy();
        case 'slow':
          return;
        case 'garbage':
          return void response.type('html').send('<!doctype html><title>Back soon</title><p>We are down for maintenance.</p>');
        case 'null':
          return void response.json(null);
        case 'error':
          return void response.status(500).json({ error: 'server_error', error_description: 'Something broke.' });
      }
    };
  }

  private describe(provider: ProviderName) {
    return { title: ADDRESSES[provider].title, accounts: this.accounts[provider] };
  }

  private show(response: Response, content: object): void {
    const template = readFileSync(join(process.cwd(), 'dev', 'pages', 'identity-provider.html'), 'utf8');
    response.type('html').set('Cache-Control', 'no-store').send(Handlebars.compile(template)(content)); // it escapes what it inserts
  }
}

const queryOf = (address: string) => Object.fromEntries(new URL(address).searchParams);
