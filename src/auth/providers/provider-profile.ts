import { isURL } from 'class-validator';
import { canonicalEmail } from '../../config/email-address';
import { cleanName, nameFromEmail } from '../../platform/text/typed-text';
import type { Provider, ProviderIdentity } from '../../users/users.api';

const MAX_ID = 255;
const MAX_NAME = 100;
const MAX_URL = 2000;

/** A validated profile of a user at a provider. */
export interface ProviderProfile extends ProviderIdentity {
  /** The normalized address; null if the provider has no verified one. */
  readonly email: string | null;
  /** Never empty: falls back to the local part of the address, then to the provider's name. */
  readonly name: string;
  readonly pictureUrl: string | null;
}

/** A profile from a provider's response. Nothing in it is validated. */
export interface ClaimedProfile {
  readonly id: unknown;
  readonly verifiedEmail: unknown;
  readonly name: unknown;
  readonly picture: unknown;
}

/** @throws if the profile has no usable id */
export function validateProfile(
  provider: Provider,
  { id, verifiedEmail, name, picture }: ClaimedProfile,
): ProviderProfile {
  // a larger number has lost digits, and could be the id of another user
  const providerUserId = Number.isSafeInteger(id) ? String(id) : id;
  if (
    typeof providerUserId !== 'string' ||
    providerUserId === '' ||
    providerUserId.length > MAX_ID ||
    hasControlCharacters(providerUserId)
  ) {
    throw new Error(`${provider} returned a profile without a valid id`);
  }
  const email = canonicalEmail(textOf(verifiedEmail)) ?? null;
  return {
    provider,
    providerUserId,
    email,
    name: cleanName(textOf(name), MAX_NAME) || (email && nameFromEmail(email)) || provider,
    pictureUrl: isPicture(picture) ? picture : null,
  };
}

const CONTROL_CHARACTERS = /[\p{Cc}\p{Cs}]/gu;

const WEB_ADDRESS = { protocols: ['http', 'https'], require_protocol: true, require_tld: false };

const isPicture = (url: unknown): url is string =>
  typeof url === 'string' && url.length <= MAX_URL && !hasControlCharacters(url) && isURL(url, WEB_ADDRESS);

const textOf = (value: unknown) => (typeof value === 'string' ? value.replace(CONTROL_CHARACTERS, ' ').trim() : '');

const hasControlCharacters = (text: string) => text.search(CONTROL_CHARACTERS) !== -1;
