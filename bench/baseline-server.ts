import express from 'express';
import { accountRoutes } from './baseline-accounts';
import { sessionRoutes } from './baseline-sessions';
import { webhook } from './baseline-webhook';

/**
 * The baseline of the benchmark: a bare Express server that gives the same answers with the
 * simplest prepared statements, the same signatures and the same hashing, without framework,
 * validation, logging, limits, layers or row-level security.
 */
const app = express().disable('x-powered-by').disable('etag');
app.get('/api/v1/health/live', (_request, response) => {
  response.json({ success: true, data: { status: 'ok' } });
});
app.use('/api/v1', accountRoutes);
app.use('/api/v1/auth', sessionRoutes);
app.post('/api/v1/webhooks/stripe', webhook(process.env.PROCESSOR_WEBHOOK_SECRET!));
app.listen(Number(process.env.PORT), '127.0.0.1');
