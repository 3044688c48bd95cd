import { readKeyRing, type KeyRing } from './key-ring';
import { environmentOf, InvalidSettings, wrongIn } from './read-environment';

/** What `npm run secrets` needs to know. */
export interface SecretsSettings {
  /** DATABASE_DIRECT_URL, else DATABASE_URL. */
  readonly databaseUrl: string;
  readonly ring: KeyRing;
}

/** @throws InvalidSettings */
export function readSecretsSettings(variables: NodeJS.ProcessEnv): SecretsSettings {
  const env = environmentOf(variables);
  const problems = wrongIn(env, 'DATABASE_URL', 'DATABASE_DIRECT_URL', 'SECRETS_KEYS');
  const ring = readKeyRing(env.SECRETS_KEYS, problems);
  if (problems.length > 0) throw new InvalidSettings(problems);
  return { databaseUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL, ring };
}
