import express, { type RequestHandler, type Response } from 'express';
import { mailPage } from './mail-page';
import { ANSWERS, type Answer, type WebhookCatcher } from './webhook-catcher';

/** Where requests are caught: any path below it. */
export const CATCH_PATH = '/webhooks/catch';
/** The largest request that is kept. */
const LIMIT = '1mb';
const MOST_FAILURES = 1000;

/** Answers a caught request, and challenges with them; a hanging one is never answered. */
const REPLIES: Record<Answer, (response: Response, challenge: string) => unknown> = {
  ok: (response, challenge) => response.type('text').send(challenge || 'Caught.'),
  error: (response) => response.status(500).type('text').send('Failed on demand.'),
  gone: (response) => response.status(410).type('text').send('Gone on demand.'),
  redirect: (response) => response.redirect(307, `${CATCH_PATH}/redirected`),
  hang: () => undefined,
};

/**
 * The webhook catcher: a page at /webhooks, what it shows as JSON at /webhooks/requests.json, which
 * DELETE empties, and the receiver at /webhooks/catch/<anything>.
 */
export function catcherPage(catcher: WebhookCatcher): RequestHandler {
  const show: RequestHandler = (_request, response) => {
    response.json({ next: catcher.next, requests: catcher.requests });
  };
  const answerWith: RequestHandler = (request, response) => {
    const { answer, count = null } = request.body as { answer: Answer; count?: number | null };
    const isCount = count === null || (Number.isInteger(count) && count > 0 && count <= MOST_FAILURES);
    const isKnown = ANSWERS.includes(answer) && isCount;
    if (isKnown) catcher.answerWith(answer, count);
    response.status(isKnown ? 200 : 400).json(catcher.next);
  };
  const trust: RequestHandler = (request, response) => {
    const { secret } = request.body as { secret?: unknown };
    response.json({ isSecret: catcher.trust(String(secret).trim()) }); // no error: browsers would log it
  };
  const receive: RequestHandler = (request, response) => {
    const body = Buffer.isBuffer(request.body) ? request.body.toString() : '';
    REPLIES[catcher.catch(request.path, request.headers, body)](response, catcher.challengeIn(body));
  };
  const router = express.Router();
  router.get('/webhooks', (_request, response) => {
    response.type('html').send(mailPage('webhook-catcher.html'));
  });
  router.get('/webhooks/requests.json', show);
  router.delete('/webhooks/requests.json', (request, response, next) => {
    catcher.clear();
    show(request, response, next);
  });
  router.put('/webhooks/answer', express.json(), answerWith);
  router.post('/webhooks/secrets', express.json(), trust);
  router.post(`${CATCH_PATH}/*path`, express.raw({ type: () => true, limit: LIMIT }), receive);
  return router;
}
