import type { ErrorCode, Schemas } from './api-answer.js';

/** What a redirect of the service puts into the fragment, by the kind of redirect. */
interface Variants {
  /** After a sign-in: `#accessToken=…`. `expiresIn`: the token's lifetime in seconds. */
  readonly tokens: { readonly accessToken: string; readonly refreshToken?: string; readonly expiresIn?: number };
  /** After the first step of a sign-in: `#secondFactorTicket=…`, as POST /auth/login answers. */
  readonly ticket: Schemas['SecondFactorNeeded'];
  /** After a sign-in that failed: `#error=…`, the reason. */
  readonly refusal: { readonly error: ErrorCode };
  /** In an emailed link, such as an invitation or a password reset: `#token=…`, used once. */
  readonly link: { readonly token: string };
  /** Any other address. */
  readonly none: object;
}

type ParamNames = { [Kind in keyof Variants]: keyof Variants[Kind] }[keyof Variants];
type Absent<Names extends PropertyKey> = { readonly [Name in Names]?: undefined };

/**
 * The parameters in the fragment of an address. One of `accessToken`, `secondFactor`, `error` and
 * `token` is there, or nothing.
 */
export type FragmentParams = {
  [Kind in keyof Variants]: Variants[Kind] & Absent<Exclude<ParamNames, keyof Variants[Kind]>>;
}[keyof Variants];

/** The parts of a window that `takeFragment` uses. */
export interface BrowserWindow {
  readonly location: Pick<Location, 'hash' | 'pathname' | 'search'>;
  readonly history: Pick<History, 'replaceState' | 'state'>;
}

/**
 * Reads the parameters in the fragment and removes them from the address and the history, so that a
 * reload, a shared link or a script that runs later does not find them. Call it before any other
 * code reads the address. A fragment of another kind is left alone.
 */
export function takeFragment({ location, history }: BrowserWindow = window): FragmentParams {
  const { hash, pathname, search } = location;
  const params = new URLSearchParams(hash.slice(1));
  const found = paramsIn(params);
  if (found) history.replaceState(history.state, '', pathname + search);
  return found ?? {};
}

function paramsIn(params: URLSearchParams): FragmentParams | undefined {
  const text = (name: string) => params.get(name) ?? undefined;
  const expiresIn = params.has('expiresIn') ? Number(params.get('expiresIn')) : undefined;
  const [accessToken, ticket, error, token] = ['accessToken', 'secondFactorTicket', 'error', 'token'].map(text);
  if (accessToken !== undefined) return { accessToken, refreshToken: text('refreshToken'), expiresIn };
  if (ticket !== undefined) {
    const methods = (text('methods') ?? '').split(',').filter(Boolean) as Schemas['TicketView']['methods'];
    return { secondFactor: { ticket, methods, expiresIn: expiresIn ?? 0 } };
  }
  if (error !== undefined) return { error: error as ErrorCode };
  return token === undefined ? undefined : { token };
}
