import { validateCronExpression } from 'cron';
import { canonicalEmail } from './email-address';
import { SECRETS, type Environment } from './environment';
import { isExample } from './example-secrets';
import { EXCEPTIONS, risksOf } from './insecure-settings';
import { contradictionOfPasskeys } from './passkey-settings';
import { cookieSecure, isTrustProxy, listOf } from './setting-values';
import { invalidSubnets } from './subnet-list';

/** Combinations of variables that are invalid or unsafe. */
export function contradictions(env: Environment): string[] {
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
  problems.push(...contradictionOfPasskeys(env));
  if (env.PORT === 0 && !env.BASE_URL) problems.push('PORT=0 requires BASE_URL');
  const invalid = listOf(env.ADMIN_EMAILS).filter((email) => !canonicalEmail(email));
  if (invalid.length > 0) problems.push(`ADMIN_EMAILS contains an invalid address: ${invalid.join(', ')}`);
  if (!isTrustProxy(env.TRUST_PROXY))
    problems.push('TRUST_PROXY must be true, false, a number, or a list of addresses and subnets');
  const subnets = invalidSubnets(listOf(env.WEBHOOK_ALLOW_SUBNETS));
  if (subnets.length > 0) problems.push(`WEBHOOK_ALLOW_SUBNETS contains an invalid subnet: ${subnets.join(', ')}`);
  if (env.WEBHOOK_PROXY_URL && !isReadable(env.WEBHOOK_PROXY_URL))
    problems.push('WEBHOOK_PROXY_URL has a user or password that is not percent-encoded');
  const exceptions = listOf(env.ALLOW_INSECURE);
  if (!exceptions.every((word) => (EXCEPTIONS as readonly string[]).includes(word))) {
    problems.push(`ALLOW_INSECURE must be a list of ${EXCEPTIONS.join(', ')}`);
  }
  if (env.NODE_ENV === 'production') {
    if (env.WEBHOOK_ALLOW_LOOPBACK === 'true')
      problems.push('WEBHOOK_ALLOW_LOOPBACK=true is for local mode: tenants would reach services of this machine');
    problems.push(
      ...SECRETS.filter((name) => isExample(env[name])).map((name) => `${name} still holds an example value`),
    );
    const refused = risksOf(env).filter(({ exception, isLocal }) => !isLocal && !exceptions.includes(exception));
    problems.push(...refused.map(({ exception, problem }) => `${problem} (allow it with ALLOW_INSECURE=${exception})`));
  }
  return problems;
}

/** Whether the user and the password of a URL can be decoded. */
function isReadable(url: string): boolean {
  try {
    const { username, password } = new URL(url);
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
