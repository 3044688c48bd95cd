import { missingActivity } from './chaos-coverage';
import type { ChaosReport } from './chaos-report';

const REPORT: ChaosReport = {
  problems: [],
  events: 51,
  actions: 60,
  interrupted: 0,
  failures: {},
  changes: 1,
  kills: 1,
  mails: 0,
  repeatedMails: 0,
  corrected: 1,
  statuses: { Active: 1, PastDue: 1 },
  terms: { yearly: 1, 'in euros': 1, 'with a discount': 1 },
  webhooks: { messages: 101, repeated: 1 },
};

describe('the activity of a chaos run', () => {
  it('is sufficient if each part did at least what is expected', () => {
    expect(missingActivity(REPORT)).toEqual([]);
  });

  it.each<[Partial<ChaosReport>, string]>([
    [{ events: 50 }, 'The run had only 50 events; at least 51 are expected.'],
    [{ corrected: 0 }, 'The run had only 0 subscriptions corrected by the sync; at least 1 are expected.'],
    [{ terms: { yearly: 9 } }, 'The run had only 1 special terms of subscriptions; at least 3 are expected.'],
    [{ changes: 0 }, 'The run had only 0 changes at Stripe; at least 1 are expected.'],
    [{ kills: 0 }, 'The run had only 0 kills; at least 1 are expected.'],
    [{ statuses: { Active: 9 } }, 'The run had only 1 statuses; at least 2 are expected.'],
    [{ webhooks: { messages: 100, repeated: 1 } }, 'The run had only 100 webhook messages; at least 101 are expected.'],
    [
      { webhooks: { messages: 101, repeated: 0 } },
      'The run had only 0 repeated webhook requests; at least 1 are expected.',
    ],
  ])('is too little with %j', (change, sentence) => {
    expect(missingActivity({ ...REPORT, ...change })).toEqual([sentence]);
  });
});
