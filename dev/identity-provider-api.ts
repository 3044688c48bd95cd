import { OAuthError } from '@node-oauth/oauth2-server';
import express, { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { ADDRESSES, PROVIDERS, type IdentityProviderModel, type ProviderName } from './identity-provider-model';

/** How a route of the provider fails. */
export type ProviderFault =
  | 'down' // closes the connection
  | 'slow' // never responds
  | 'garbage' // 200 with HTML
  | 'null' // 200 with the JSON null
  | 'error'; // 500

export type FaultyRoute = 'token' | 'profile' | 'emails';

/** The API of the stand-in, with the response formats of Google and GitHub. */
export function identityProviderApi(
  models: Record<ProviderName, IdentityProviderModel>,
  faults: ReadonlyMap<FaultyRoute, ProviderFault>,
): express.Router {
  const api = Router();
  const unlessFaulty = (what: FaultyRoute): RequestHandler => {
    return (request, response, next) => {
      const how = faults.get(what);
      if (how) answerWithFault(how, request, response);
      else next();
    };
  };
  for (const provider of PROVIDERS) {
    api.post(
      ADDRESSES[provider].token,
      unlessFaulty('token'),
      express.urlencoded({ extended: false }),
      async (request, response) => {
        const { status, body } = await models[provider].exchange(request);
        // GitHub returns 200 for errors too
        response.set('Cache-Control', 'no-store').status(provider === 'github' ? 200 : status);
        if (provider === 'google' || request.get('accept')?.includes('application/json')) response.json(body);
        else response.type('application/x-www-form-urlencoded').send(new URLSearchParams(body).toString());
      },
    );
  }
  api.get(ADDRESSES.google.profile, unlessFaulty('profile'), async (request, response) => {
    const { id, name, email, isEmailVerified, pictureUrl } = await models.google.accountOf(request);
    response.json({
      sub: id,
      name,
      ...(email !== null && { email, email_verified: isEmailVerified }),
      picture: pictureUrl,
    });
  });
  api.get(ADDRESSES.github.profile, unlessFaulty('profile'), async (request, response) => {
    const { id, name, pictureUrl } = await models.github.accountOf(request);
    response.json({
      id: Number(id),
      login: name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
      name,
      email: null,
      avatar_url: pictureUrl,
    });
  });
  api.get(ADDRESSES.github.emails, unlessFaulty('emails'), async (request, response) => {
    const { id, email, isEmailVerified } = await models.github.accountOf(request);
    const primary = { email, primary: true, verified: isEmailVerified, visibility: 'private' };
    const secondary = { email: `${id}@users.noreply.github.example`, primary: false, verified: true, visibility: null };
    response.json(email === null ? [] : [primary, secondary]);
  });
  api.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (!(error instanceof OAuthError)) return next(error);
    response.status(error.code).json({ error: error.name, error_description: error.message });
  });
  return api;
}

function answerWithFault(how: ProviderFault, request: Request, response: Response): void {
  switch (how) {
    case 'down': {
      request.socket.destroy();
      return;
    }
    case 'slow':
      return;
    case 'garbage': {
      response.type('html').send('<!doctype html><title>Back soon</title><p>We are down for maintenance.</p>');
      return;
    }
    case 'null': {
      response.json(null);
      return;
    }
    case 'error': {
      response.status(500).json({ error: 'server_error', error_description: 'Internal server error.' });
      return;
    }
  }
}
