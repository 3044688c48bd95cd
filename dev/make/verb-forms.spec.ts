import { pastOf, presentOf } from './verb-forms';

describe('verbs', () => {
  it.each([
    ['approve', 'approves', 'approved'],
    ['archive', 'archives', 'archived'],
    ['publish', 'publishes', 'published'],
    ['deny', 'denies', 'denied'],
    ['delay', 'delays', 'delayed'],
    ['send', 'sends', 'sent'],
  ])('%s has the forms %s and %s', (verb, present, past) =>
    expect([presentOf(verb), pastOf(verb)]).toEqual([present, past]),
  );
});
