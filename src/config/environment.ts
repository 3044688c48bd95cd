import 'reflect-metadata'; // the decorators below need it, and settings are read before Nest is loaded
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, IsUrl, Matches, Max, Min, MinLength } from 'class-validator';

const optional = IsOptional();
const webAddress = IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false });
const yesOrNo = IsIn(['true', 'false'], { message: '$property must be true or false' });
const between = (low: number, high: number) => (target: object, property: string) => {
  IsInt({ message: '$property must be a whole number' })(target, property);
  Min(low)(target, property);
  Max(high)(target, property);
  Type(() => Number)(target, property);
};
const address = (...schemes: string[]) =>
  Matches(new RegExp(`^(${schemes.join('|')})://.*[^/@]`), {
    message: `$property must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  });

/**
 * The environment variables as strings, one property each (docs/contract.md, Settings).
 * `.env.example` documents them; a test compares the two. `settings.ts` derives the settings.
 */
export class Environment {
  @IsIn(['development', 'production', 'test']) NODE_ENV = 'development';
  @between(0, 65_535) PORT = 3000;
  @IsString() HOST = '0.0.0.0';
  @optional @webAddress BASE_URL?: string;
  @optional @webAddress FRONTEND_URL?: string;
  @optional
  @Matches(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, { message: '$property must be a host name in lower case' })
  PASSKEY_RP_ID?: string;
  @IsString() ALLOW_INSECURE = '';

  @address('postgres', 'postgresql') DATABASE_URL!: string;
  @optional @address('postgres', 'postgresql') MIGRATION_DATABASE_URL?: string;
  @between(2, 1000) DATABASE_POOL_SIZE = 10;
  @yesOrNo DATABASE_PREPARED = 'true';
  @optional @address('postgres', 'postgresql') DATABASE_DIRECT_URL?: string;
  @optional @address('postgres', 'postgresql') DATABASE_READ_URL?: string;
  @optional @between(1, 1200) AUDIT_RETENTION_MONTHS?: number;
  @optional @address('redis', 'rediss') REDIS_URL?: string;

  @IsString() JWT_PRIVATE_KEY!: string;
  @IsString() JWT_PUBLIC_KEYS = '';
  @IsString() SECRETS_KEYS!: string;
  @Matches(/^[a-z][a-z0-9]{0,15}$/, { message: '$property must be 1 to 16 lower-case letters and digits' })
  KEY_PREFIX = 'tn';
  @optional @webAddress GITHUB_LEAK_KEYS_URL?: string;
  @optional @yesOrNo COOKIE_SECURE?: string;
  @IsIn(['strict', 'lax', 'none']) COOKIE_SAME_SITE = 'strict';

  @address('smtp', 'smtps') SMTP_URL!: string;
  @Matches(/^[^\r\n]*[^\s<>@]+@[^\s<>@]+>?$/, { message: '$property must be an address, or Name <address>' })
  MAIL_FROM!: string;

  @IsIn(['direct', 'confirm']) MAIL_LINKS = 'direct';
  @between(0, 10_000_000) MAIL_NEW_RECIPIENTS_PER_HOUR = 5000;

  @optional @IsString() GOOGLE_CLIENT_ID?: string;
  @optional @IsString() GOOGLE_CLIENT_SECRET?: string;
  @optional @IsString() GITHUB_CLIENT_ID?: string;
  @optional @IsString() GITHUB_CLIENT_SECRET?: string;
  @webAddress GOOGLE_AUTHORIZATION_URL = 'https://accounts.google.com/o/oauth2/v2/auth';
  @webAddress GOOGLE_TOKEN_URL = 'https://oauth2.googleapis.com/token';
  @webAddress GOOGLE_PROFILE_URL = 'https://openidconnect.googleapis.com/v1/userinfo';
  @webAddress GITHUB_AUTHORIZATION_URL = 'https://github.com/login/oauth/authorize';
  @webAddress GITHUB_TOKEN_URL = 'https://github.com/login/oauth/access_token';
  @webAddress GITHUB_PROFILE_URL = 'https://api.github.com/user';
  @webAddress GITHUB_EMAILS_URL = 'https://api.github.com/user/emails';

  @optional @IsString() PROCESSOR_SECRET_KEY?: string;
  @optional @IsString() PROCESSOR_WEBHOOK_SECRET?: string;
  @optional @IsString() PROCESSOR_PRO_PRICE_ID?: string;
  @optional @IsString() PROCESSOR_BUSINESS_PRICE_ID?: string;
  @optional @webAddress PROCESSOR_API_URL?: string;
  @yesOrNo PROCESSOR_PROMOTION_CODES = 'false';
  @yesOrNo PROCESSOR_AUTOMATIC_TAX = 'false';
  @yesOrNo PROCESSOR_TAX_IDS = 'false';
  @IsIn(['auto', 'required']) PROCESSOR_BILLING_ADDRESS = 'auto';

  @IsString() WEBHOOK_ALLOW_SUBNETS = '';
  @yesOrNo WEBHOOK_ALLOW_LOOPBACK = 'false';
  @optional @webAddress WEBHOOK_PROXY_URL?: string;

  @IsString() ADMIN_EMAILS = '';
  @optional @IsIn(['required', 'optional']) ADMIN_SECOND_FACTOR?: string;
  @IsString() TRUST_PROXY = 'false';
  @between(0, 10_000_000) RATE_LIMIT_PER_MINUTE = 1200;
  @optional @between(0, 10_000_000) AUTH_RATE_LIMIT_PER_MINUTE?: number;
  @between(1, 1_000_000) LOGIN_MAX_FAILURES = 10;
  @between(1, 3650) SESSION_MAX_DAYS = 90;
  @IsString() SUBSCRIPTION_SYNC_CRON = '0 */2 * * *';
  @between(1, 50) BILLING_TRIALS_PER_USER = 1;
  @IsIn(['inline', 'off', 'only']) WORKER = 'inline';
  @between(0, 300) SHUTDOWN_DELAY_SECONDS = 0;
  @between(1, 7200) KEEP_ALIVE_SECONDS = 75;
  @between(5, 1_000_000) MAX_CONNECTIONS = 10_000;
  @optional @MinLength(16) METRICS_TOKEN?: string;
  @Matches(/^((mailto:|tel:|https:\/\/)[^\s,]+(, *|$))*$/, {
    message: '$property must be addresses that start with mailto:, https:// or tel:, separated by commas',
  })
  SECURITY_CONTACT = '';
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']) LOG_LEVEL = 'info';
  @yesOrNo LOG_PRETTY = 'false';
}

/** Variables that hold secrets: production refuses example values in them. */
export const SECRETS = [
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
  'REDIS_URL',
  'JWT_PRIVATE_KEY',
  'SECRETS_KEYS',
  'SMTP_URL',
  'GOOGLE_CLIENT_SECRET',
  'GITHUB_CLIENT_SECRET',
  'PROCESSOR_SECRET_KEY',
  'PROCESSOR_WEBHOOK_SECRET',
  'WEBHOOK_PROXY_URL',
  'METRICS_TOKEN',
] as const satisfies readonly (keyof Environment)[];
