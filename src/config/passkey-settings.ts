import type { Environment } from './environment';
import { addressesOf } from './setting-values';

/** The relying party of passkeys (WebAuthn). */
export interface PasskeySettings {
  /** The domain that passkeys are bound to. */
  readonly rpId: string;
  /** The origins whose pages may use them: those of FRONTEND_URL and BASE_URL below the domain. */
  readonly origins: readonly string[];
}

/** @param env without contradictions */
export function passkeysOf(env: Environment): PasskeySettings {
  const { baseUrl, frontendUrl } = addressesOf(env);
  const addresses = [new URL(frontendUrl), new URL(baseUrl)];
  const rpId = env.PASSKEY_RP_ID ?? addresses[0].hostname;
  const within = addresses.filter(({ hostname }) => isWithin(hostname, rpId));
  return { rpId, origins: Object.freeze([...new Set(within.map(({ origin }) => origin))]) };
}

/** Browsers refuse a domain that is not above the page. */
export function contradictionOfPasskeys(env: Environment): string[] {
  const { frontendUrl } = addressesOf(env);
  if (env.PASSKEY_RP_ID === undefined || !URL.canParse(frontendUrl)) return [];
  if (isWithin(new URL(frontendUrl).hostname, env.PASSKEY_RP_ID)) return [];
  return ['PASSKEY_RP_ID must be the host of FRONTEND_URL or a domain above it'];
}

const isWithin = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`);
