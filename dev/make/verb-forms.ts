const PAST: Readonly<Record<string, string>> = {
  begin: 'begun',
  buy: 'bought',
  end: 'ended',
  hold: 'held',
  lend: 'lent',
  make: 'made',
  pay: 'paid',
  put: 'put',
  reset: 'reset',
  send: 'sent',
  set: 'set',
  split: 'split',
  withdraw: 'withdrawn',
};

/** `approved`: what has happened. Verbs that double their last letter are few; see the event. */
export function pastOf(verb: string): string {
  if (Object.hasOwn(PAST, verb)) return PAST[verb];
  if (verb.endsWith('e')) return `${verb}d`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`;
}

/** `approves`: what it does. */
export function presentOf(verb: string): string {
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh|o)$/.test(verb) ? `${verb}es` : `${verb}s`;
}
