import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { Router, type Response } from 'express';
import Handlebars from 'handlebars';
import {
  accountFor,
  ADDRESSES,
  PROVIDERS,
  queryOf,
  type IdentityProviderModel,
  type ProviderAccount,
  type ProviderName,
} from './identity-provider-model';

/**
 * The pages of the stand-in: the list of accounts at /, and the page on which the user chooses one.
 */
export function identityProviderPages(
  models: Record<ProviderName, IdentityProviderModel>,
  accounts: Record<ProviderName, ProviderAccount[]>,
): express.Router {
  const pages = Router();
  const describe = (provider: ProviderName) => ({ title: ADDRESSES[provider].title, accounts: accounts[provider] });
  pages.get('/', (_request, response) => show(response, { providers: PROVIDERS.map(describe) }));
  for (const provider of PROVIDERS) {
    const { authorize } = ADDRESSES[provider];
    pages.all(authorize, (request, response, next) => {
      const problem = models[provider].problemWith(queryOf(request.originalUrl));
      if (problem) show(response.status(400), { problem });
      else next();
    });
    pages.get(authorize, (_request, response) => show(response, { provider: describe(provider) }));
    pages.post(authorize, express.urlencoded({ extended: false }), async (request, response) => {
      const { cancel, ...picked } = (request.body ?? {}) as Record<string, string>;
      const account = cancel === undefined ? accountPicked(provider, accounts[provider], picked) : null;
      if (account === undefined)
        show(response.status(400), { problem: 'Go back and choose an account, or enter a name and an email address.' });
      else response.redirect(303, await models[provider].answer(queryOf(request.originalUrl), account));
    });
  }
  return pages;
}

/** The chosen account, or a new one from the form, which is kept. */
function accountPicked(
  provider: ProviderName,
  accounts: ProviderAccount[],
  picked: Partial<Record<string, string>>,
): ProviderAccount | undefined {
  if (picked.account !== undefined) return accounts.find(({ id }) => id === picked.account);
  const [name, email] = [picked.name, picked.email].map((typed) => String(typed ?? '').trim());
  if (!name || !email) return undefined;
  const known = accounts.find((account) => account.email?.toLowerCase() === email.toLowerCase());
  if (known) return known;
  const added = accountFor(provider, name, email, picked.isEmailVerified !== undefined);
  accounts.push(added);
  return added;
}

function show(response: Response, content: object): void {
  const read = (name: string) => readFileSync(join(process.cwd(), 'dev', 'pages', name), 'utf8');
  // Handlebars escapes the values
  const html = Handlebars.compile(read('identity-provider.html'))({ ...content, style: read('stand-in-style.html') });
  response.type('html').set('Cache-Control', 'no-store').send(html);
}
