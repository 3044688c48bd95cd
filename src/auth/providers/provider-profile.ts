import { isURL } from 'class-validator';
import { canonicalEmail } from '../../config/email-address';
import { tidyName } from '../../http/validation/name-rules';
import type { Provider, ProviderIdentity } from '../../users/users.api';

const MAX_ID = 255;
const MAX_NAME = 100;
const MAX_URL = 2000;

/** What a provider says of a person, as far as it can be used. */
export interface ProviderProfile extends ProviderIdentity {
  /** As it is stored and compared; null where there is none that the provider calls verified. */
  readonly email: string | null;
  /** Never empty: else the part of the address before the @, else the provider's name. */
  readonly name: string;
  readonly pictureUrl: string | null;
}

/** A profile as a provider's answers have it: nothing in it can be relied on. */
export interface ClaimedProfile {
  readonly id: unknown;
  readonly verifiedEmail: unknown;
  readonly name: unknown;
  readonly picture: unknown;
}

/** @throws when there is no id by which the person could be known again */
export function profileOf(provider: Provider, { id, verifiedEmail, name, picture }: ClaimedProfile): ProviderProfile {
  // a greater number has lost digits, which may be another's
  const providerUserId = Number.isSafeInteger(id) ? String(id) : id;
  if (
    typeof providerUserId !== 'string' ||
    providerUserId === '' ||
    providerUserId.length > MAX_ID ||
    hasControlCharacters(providerUserId)
  ) {
    throw new Error(`${provider} sent a profile without a usable id`);
  }
  const email = canonicalEmail(textOf(verifiedEmail)) ?? null;
  return {
    provider,
    providerUserId,
    email,
    name:
      [...tidyName(textOf(name))].slice(0, MAX_NAME).join('').trim() ||
      tidyName(email?.split('@')[0] ?? '').trim() ||
      provider,
    pictureUrl: isPicture(picture) ? picture : null,
  };
}

const CONTROL_CHARACTERS = /[\p{Cc}\p{Cs}]/gu;

const WEB_ADDRESS = { protocols: ['http', 'https'], require_protocol: true, require_tld: false };

const isPicture = (url: unknown): url is string =>
  typeof url === 'string' && url.length <= MAX_URL && !hasControlCharacters(url) && isURL(url, WEB_ADDRESS);

const textOf = (value: unknown) => (typeof value === 'string' ? value.replace(CONTROL_CHARACTERS, ' ').trim() : '');

const hasControlCharacters = (text: string) => text.search(CONTROL_CHARACTERS) !== -1;
