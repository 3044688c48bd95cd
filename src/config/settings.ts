import { contradictions } from './setting-contradictions';
import { canonicalEmail } from './email-address';
import type { Environment } from './environment';
import { risksOf, type Exception } from './insecure-settings';
import { readKeyRing, type KeyRing } from './key-ring';
import { readPrivateKey, readPublicKeys } from './keys';
import { environmentOf, InvalidSettings, wrongIn } from './read-environment';
import { passkeysOf } from './passkey-settings';
import { processorOf } from './processor-settings';
import { addressesOf, cookieSecure, listOf, trustProxyOf } from './setting-values';

/** Injection token of the settings. */
export const SETTINGS = Symbol('SETTINGS');

/**
 * Default of AUTH_RATE_LIMIT_PER_MINUTE in production: POST requests below /auth per client address
 * and minute.
 */
const AUTH_RATE_LIMIT = 60;

/**
 * Reads and validates all settings (docs/contract.md, Settings).
 * @throws InvalidSettings with a list of all problems
 */
export function readSettings(variables: NodeJS.ProcessEnv) {
  const env = environmentOf(variables);
  const problems = [...wrongIn(env), ...contradictions(env)];
  const privateKey = readPrivateKey(env.JWT_PRIVATE_KEY, problems);
  const retiredKeys = readPublicKeys(env.JWT_PUBLIC_KEYS, problems);
  const ring = readKeyRing(env.SECRETS_KEYS, problems);
  if (problems.length > 0 || !privateKey) throw new InvalidSettings(problems);
  return toSettings(env, { privateKey, retiredKeys, ring });
}

function toSettings(
  env: Environment,
  keys: {
    privateKey: ReturnType<typeof readPrivateKey> & object;
    retiredKeys: ReturnType<typeof readPublicKeys>;
    /** The keys that seal and open secrets in the database. */
    ring: KeyRing;
  },
) {
  const production = env.NODE_ENV === 'production';
  const { baseUrl, frontendUrl } = addressesOf(env);
  return Object.freeze({
    production,
    /** Settings that production refuses, or accepts with a warning. */
    risks: Object.freeze(risksOf(env)),
    /** The exceptions in ALLOW_INSECURE. */
    allowInsecure: Object.freeze(listOf(env.ALLOW_INSECURE) as Exception[]),
    port: env.PORT,
    host: env.HOST,
    /** `{base_url}`, also the issuer of access tokens. */
    baseUrl,
    /** `{frontend_url}`, also the allowed CORS origin. */
    frontendUrl,
    frontendOrigin: new URL(frontendUrl).origin,
    passkeys: Object.freeze(passkeysOf(env)),
    database: Object.freeze({
      url: env.DATABASE_URL,
      /** For connections that keep state: the job worker and the listener. */
      directUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
      readUrl: env.DATABASE_READ_URL,
      poolSize: env.DATABASE_POOL_SIZE,
      /** Whether frequent statements are sent as prepared statements. */
      prepared: env.DATABASE_PREPARED === 'true',
    }),
    redisUrl: env.REDIS_URL,
    keys: Object.freeze(keys),
    /** The first characters of API keys. */
    keyPrefix: env.KEY_PREFIX,
    /** The keys that sign reports of leaks by GitHub; undefined: none are accepted. */
    githubLeakKeysUrl: env.GITHUB_LEAK_KEYS_URL,
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
    processor: processorOf(env),
    mail: Object.freeze({
      smtpUrl: env.SMTP_URL,
      from: env.MAIL_FROM,
      /**
       * Where links that sign in lead: `direct` to the API, `confirm` to a page of the web client
       * with a button that sends the token.
       */
      links: env.MAIL_LINKS as 'direct' | 'confirm',
      /** Most emails per hour to addresses that never signed in. */
      newRecipientsPerHour: env.MAIL_NEW_RECIPIENTS_PER_HOUR || Infinity,
    }),
    /** What requests to addresses of tenants may reach besides the public Internet. */
    outbound: Object.freeze({
      allowSubnets: Object.freeze(listOf(env.WEBHOOK_ALLOW_SUBNETS)),
      /** This machine, also with http. */
      allowLoopback: env.WEBHOOK_ALLOW_LOOPBACK === 'true',
      /** The HTTP proxy (CONNECT) that opens connections; undefined: the service does so itself. */
      proxyUrl: env.WEBHOOK_PROXY_URL,
    }),
    adminEmails: new Set(listOf(env.ADMIN_EMAILS).map((email) => canonicalEmail(email) ?? email)),
    /** Whether admin access needs a session in which a second factor was proven. */
    adminSecondFactor: (env.ADMIN_SECOND_FACTOR ?? (production ? 'required' : 'optional')) as 'required' | 'optional',
    trustProxy: trustProxyOf(env.TRUST_PROXY),
    rateLimitPerMinute: env.RATE_LIMIT_PER_MINUTE,
    /** POST requests below /auth per client address; 0: no limit. */
    authRateLimitPerMinute:
      env.RATE_LIMIT_PER_MINUTE === 0 ? 0 : (env.AUTH_RATE_LIMIT_PER_MINUTE ?? (production ? AUTH_RATE_LIMIT : 0)),
    loginMaxFailures: env.LOGIN_MAX_FAILURES,
    sessionMaxDays: env.SESSION_MAX_DAYS,
    worker: env.WORKER as 'inline' | 'off' | 'only',
    /** A process that only runs jobs is behind no load balancer. */
    shutdownDelaySeconds: env.WORKER === 'only' ? 0 : env.SHUTDOWN_DELAY_SECONDS,
    /** How long an idle connection of a client stays open. */
    keepAliveSeconds: env.KEEP_ALIVE_SECONDS,
    /** How many connections of clients may be open. */
    maxConnections: env.MAX_CONNECTIONS,
    metricsToken: env.METRICS_TOKEN,
    /** URIs at which vulnerabilities are reported, the preferred one first. */
    securityContacts: Object.freeze(listOf(env.SECURITY_CONTACT)),
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

/** All settings, validated, typed and frozen. */
export type Settings = ReturnType<typeof readSettings>;
