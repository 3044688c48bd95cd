import { existsSync } from 'node:fs';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { validateCronExpression } from 'cron';
import express from 'express';
import { canonicalEmail } from './email-address';
import { Environment, SECRETS } from './environment';
import { isExample } from './example-secrets';
import { EXCEPTIONS, risksOf, type Exception } from './insecure-settings';
import { readPrivateKey, readPublicKeys } from './keys';

/** Injection token of the settings. */
export const SETTINGS = Symbol('SETTINGS');

/**
 * Default of AUTH_RATE_LIMIT_PER_MINUTE in production: POST requests below /auth per client address
 * and minute.
 */
const AUTH_RATE_LIMIT = 60;

/** Thrown at start with all problems of the settings at once. */
export class InvalidSettings extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The settings are invalid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'InvalidSettings';
  }
}

/**
 * The environment variables of this process, then those of an `.env` file in the working directory.
 * The only reader of process.env.
 * @param nodeEnv NODE_ENV if the process has none, whatever the file says
 */
export function processEnvironment(nodeEnv?: 'production'): NodeJS.ProcessEnv {
  if (nodeEnv) process.env.NODE_ENV ||= nodeEnv;
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

/**
 * Reads and validates all settings (docs/contract.md, Settings).
 * @throws InvalidSettings with a list of all problems
 */
export function readSettings(variables: NodeJS.ProcessEnv) {
  const env = environmentOf(variables);
  const problems = [...wrongIn(env), ...contradictions(env)];
  const privateKey = readPrivateKey(env.JWT_PRIVATE_KEY, problems);
  const retiredKeys = readPublicKeys(env.JWT_PUBLIC_KEYS, problems);
  if (problems.length > 0 || !privateKey) throw new InvalidSettings(problems);
  return toSettings(env, { privateKey, retiredKeys });
}

function toSettings(
  env: Environment,
  keys: { privateKey: ReturnType<typeof readPrivateKey> & object; retiredKeys: ReturnType<typeof readPublicKeys> },
) {
  const production = env.NODE_ENV === 'production';
  const frontendUrl = (env.FRONTEND_URL ?? 'http://localhost:5173').replace(/\/+$/, '');
  return Object.freeze({
    production,
    /** Settings that production refuses, or accepts with a warning. */
    risks: Object.freeze(risksOf(env)),
    /** The exceptions in ALLOW_INSECURE. */
    allowInsecure: Object.freeze(listOf(env.ALLOW_INSECURE) as Exception[]),
    port: env.PORT,
    host: env.HOST,
    /** `{base_url}`, also the issuer of access tokens. */
    baseUrl: (env.BASE_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ''),
    /** `{frontend_url}`, also the allowed CORS origin. */
    frontendUrl,
    frontendOrigin: new URL(frontendUrl).origin,
    database: Object.freeze({
      url: env.DATABASE_URL,
      readUrl: env.DATABASE_READ_URL,
      poolSize: env.DATABASE_POOL_SIZE,
    }),
    redisUrl: env.REDIS_URL,
    keys: Object.freeze(keys),
    cookie: Object.freeze({
      secure: cookieSecure(env),
      sameSite: env.COOKIE_SAME_SITE as 'strict' | 'lax' | 'none',
    }),
    providers: Object.freeze({
      google: providerOf(env, 'GOOGLE'),
      github: providerOf(env, 'GITHUB'),
      /** GitHub lists a user's email addresses, and which are verified, apart from the profile. */
      githubEmailsUrl: env.GITHUB_EMAILS_URL,
    }),
    processor: Object.freeze({
      /** Undefined: billing answers 503. */
      secretKey: env.PROCESSOR_SECRET_KEY,
      /** Several during a rotation: a delivery is valid when signed with any of them. */
      webhookSecrets: Object.freeze(listOf(env.PROCESSOR_WEBHOOK_SECRET ?? '')),
      prices: Object.freeze({ Pro: env.PROCESSOR_PRO_PRICE_ID, Business: env.PROCESSOR_BUSINESS_PRICE_ID }),
      /** Undefined: Stripe's own address. */
      apiUrl: env.PROCESSOR_API_URL === undefined ? undefined : new URL(env.PROCESSOR_API_URL),
      syncCron: env.SUBSCRIPTION_SYNC_CRON,
    }),
    mail: Object.freeze({
      smtpUrl: env.SMTP_URL,
      from: env.MAIL_FROM,
      /**
       * Where links that sign in lead: `direct` to the API, `confirm` to a page of the web client
       * with a button that sends the token.
       */
      links: env.MAIL_LINKS as 'direct' | 'confirm',
      /** Most mails per hour to addresses that never signed in. */
      newRecipientsPerHour: env.MAIL_NEW_RECIPIENTS_PER_HOUR || Infinity,
    }),
    adminEmails: new Set(listOf(env.ADMIN_EMAILS).map((email) => canonicalEmail(email) ?? email)),
    trustProxy: trustProxyOf(env.TRUST_PROXY),
    rateLimitPerMinute: env.RATE_LIMIT_PER_MINUTE,
    /** POST requests below /auth per client address; 0: no limit. */
    authRateLimitPerMinute:
      env.RATE_LIMIT_PER_MINUTE === 0 ? 0 : (env.AUTH_RATE_LIMIT_PER_MINUTE ?? (production ? AUTH_RATE_LIMIT : 0)),
    loginMaxFailures: env.LOGIN_MAX_FAILURES,
    sessionMaxDays: env.SESSION_MAX_DAYS,
    worker: env.WORKER as 'inline' | 'off' | 'only',
    metricsToken: env.METRICS_TOKEN,
    log: Object.freeze({ level: env.LOG_LEVEL, pretty: env.LOG_PRETTY === 'true' }),
  });
}

/** An OAuth client of an identity provider. */
export interface ProviderSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly profileUrl: string;
}

/** Undefined when the provider is not configured. */
function providerOf(env: Environment, name: 'GOOGLE' | 'GITHUB'): ProviderSettings | undefined {
  const [clientId, clientSecret] = [env[`${name}_CLIENT_ID`], env[`${name}_CLIENT_SECRET`]];
  if (!clientId || !clientSecret) return undefined;
  return Object.freeze({
    clientId,
    clientSecret,
    authorizationUrl: env[`${name}_AUTHORIZATION_URL`],
    tokenUrl: env[`${name}_TOKEN_URL`],
    profileUrl: env[`${name}_PROFILE_URL`],
  });
}

/** The database as seen by two roles; the same URL twice when there is one role. */
export interface DatabaseUrls {
  /** Owns the schema and migrates it. */
  readonly owner: string;
  /** Reads and writes rows. */
  readonly service: string;
}

/** The database settings of migrations and other commands. @throws InvalidSettings */
export function readDatabaseUrls(variables: NodeJS.ProcessEnv): DatabaseUrls {
  const env = environmentOf(variables);
  const problems = wrongIn(env, 'DATABASE_URL', 'MIGRATION_DATABASE_URL');
  if (problems.length > 0) throw new InvalidSettings(problems);
  return { owner: env.MIGRATION_DATABASE_URL ?? env.DATABASE_URL, service: env.DATABASE_URL };
}

/** The variables with their defaults. An empty variable counts as not set. */
function environmentOf(variables: NodeJS.ProcessEnv): Environment {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  return plainToInstance(Environment, given, { exposeDefaultValues: true });
}

/**
 * Problems of single variables.
 * @param only checks just these, if any are given
 */
function wrongIn(env: Environment, ...only: (keyof Environment)[]): string[] {
  return validateSync(env)
    .filter(({ property }) => only.length === 0 || (only as string[]).includes(property))
    .map(({ property, value, constraints }) =>
      value === undefined ? `${property} is required` : Object.values(constraints ?? {}).join(', '),
    );
}

/** All settings, validated, typed and frozen. */
export type Settings = ReturnType<typeof readSettings>;

/** Combinations of variables that are invalid or unsafe. */
function contradictions(env: Environment): string[] {
  const problems: string[] = [];
  if (env.COOKIE_SAME_SITE === 'none' && !cookieSecure(env))
    problems.push('COOKIE_SAME_SITE=none requires COOKIE_SECURE=true');
  if (env.PROCESSOR_API_URL && env.PROCESSOR_SECRET_KEY?.includes('_live_')) {
    problems.push('PROCESSOR_API_URL must not be set together with a live PROCESSOR_SECRET_KEY');
  }
  for (const provider of ['GOOGLE', 'GITHUB'] as const) {
    if (!env[`${provider}_CLIENT_ID`] !== !env[`${provider}_CLIENT_SECRET`]) {
      problems.push(`${provider}_CLIENT_ID and ${provider}_CLIENT_SECRET must be set together`);
    }
  }
  if (!validateCronExpression(env.SUBSCRIPTION_SYNC_CRON).valid)
    problems.push('SUBSCRIPTION_SYNC_CRON must be a cron expression');
  if (env.PORT === 0 && !env.BASE_URL) problems.push('PORT=0 requires BASE_URL');
  const invalid = listOf(env.ADMIN_EMAILS).filter((email) => !canonicalEmail(email));
  if (invalid.length > 0) problems.push(`ADMIN_EMAILS contains an invalid address: ${invalid.join(', ')}`);
  if (!isTrustProxy(env.TRUST_PROXY))
    problems.push('TRUST_PROXY must be true, false, a number, or a list of addresses and subnets');
  const exceptions = listOf(env.ALLOW_INSECURE);
  if (!exceptions.every((word) => (EXCEPTIONS as readonly string[]).includes(word))) {
    problems.push(`ALLOW_INSECURE must be a list of ${EXCEPTIONS.join(', ')}`);
  }
  if (env.NODE_ENV === 'production') {
    problems.push(
      ...SECRETS.filter((name) => isExample(env[name])).map((name) => `${name} still holds an example value`),
    );
    const refused = risksOf(env).filter(({ exception, isLocal }) => !isLocal && !exceptions.includes(exception));
    problems.push(...refused.map(({ exception, problem }) => `${problem} (allow it with ALLOW_INSECURE=${exception})`));
  }
  return problems;
}

/** Secure by default in production. */
function cookieSecure({ COOKIE_SECURE, NODE_ENV }: Environment): boolean {
  return COOKIE_SECURE === undefined ? NODE_ENV === 'production' : COOKIE_SECURE === 'true';
}

function listOf(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** As in Express: true, false, a number of hops, or a list of addresses and subnets. */
function trustProxyOf(value: string): boolean | number | string {
  if (value === 'true' || value === 'false') return value === 'true';
  return /^\d+$/.test(value) ? Number(value) : value;
}

/** Whether Express accepts the value. */
function isTrustProxy(value: string): boolean {
  try {
    express().set('trust proxy', trustProxyOf(value));
    return true;
  } catch {
    return false;
  }
}
