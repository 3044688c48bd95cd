import { createClient } from '@tenantry/client';
import { stepUpQuestion } from './step-up/step-up-question';

/**
 * The client of the API, with the operator's session. Its cookie has a name of its own, so that the
 * web client can keep another session in the same browser.
 */
export const api = createClient({
  baseUrl: '',
  session: { keep: 'cookie', name: 'panel' },
  onStepUpRequired: stepUpQuestion.ask,
});
