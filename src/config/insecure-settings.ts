import type { Environment } from './environment';

/** The words of ALLOW_INSECURE: what production may do without. */
export const EXCEPTIONS = ['http', 'cookies', 'proxy', 'smtp'] as const;
export type Exception = (typeof EXCEPTIONS)[number];

/** A setting that production refuses, unless ALLOW_INSECURE names the exception. */
export interface Risk {
  readonly exception: Exception;
  readonly problem: string;
  /** Traffic stays on this machine: allowed with a warning. */
  readonly isLocal: boolean;
}

type Read = Pick<Environment, 'BASE_URL' | 'FRONTEND_URL' | 'COOKIE_SECURE' | 'TRUST_PROXY' | 'SMTP_URL'>;

/** All insecure settings (docs/contract.md, Production), in production or not. */
export function risksOf(env: Read): Risk[] {
  const risks = [
    httpRisk(env, 'BASE_URL'),
    httpRisk(env, 'FRONTEND_URL'),
    cookieRisk(env),
    proxyRisk(env),
    smtpRisk(env),
  ];
  return risks.filter((risk) => risk !== undefined);
}

function httpRisk(env: Read, name: 'BASE_URL' | 'FRONTEND_URL'): Risk | undefined {
  const value = env[name];
  if (value === undefined) return { exception: 'http', problem: `${name} is required in production`, isLocal: false };
  const address = addressOf(value);
  if (!address || address.protocol === 'https:') return undefined;
  return { exception: 'http', problem: `${name} must begin with https://`, isLocal: isLoopback(address) };
}

function cookieRisk({ COOKIE_SECURE }: Read): Risk | undefined {
  if (COOKIE_SECURE !== 'false') return undefined;
  return {
    exception: 'cookies',
    problem: 'COOKIE_SECURE=false sends cookies over unencrypted connections',
    isLocal: false,
  };
}

function proxyRisk({ TRUST_PROXY }: Read): Risk | undefined {
  if (TRUST_PROXY !== 'true') return undefined;
  return {
    exception: 'proxy',
    problem: 'TRUST_PROXY=true lets every client choose its address; give a number or a list',
    isLocal: false,
  };
}

/**
 * Without `requireTLS`, emails and their links are sent in clear text when the mail server offers
 * no encryption, or an attacker removes the offer.
 */
function smtpRisk({ SMTP_URL }: Read): Risk | undefined {
  const address = addressOf(SMTP_URL);
  if (!address || address.protocol === 'smtps:' || address.searchParams.get('requireTLS') === 'true') return undefined;
  return {
    exception: 'smtp',
    problem: 'SMTP_URL must begin with smtps://, or end with ?requireTLS=true',
    isLocal: isLoopback(address),
  };
}

/** Undefined for a value that is not a URL, which is reported elsewhere. */
function addressOf(value: string | undefined): URL | undefined {
  return value !== undefined && URL.canParse(value) ? new URL(value) : undefined;
}

/** localhost and its subdomains, 127.0.0.0/8 and ::1. */
function isLoopback({ hostname }: URL): boolean {
  return /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}
