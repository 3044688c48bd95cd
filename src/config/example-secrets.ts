/**
 * Whether a secret still is the one of an example. Of an address only its password counts: a host
 * may be called anything.
 * @param value a secret, or an address that carries one
 */
export function isExample(value = ''): boolean {
  const isAddress = value.includes('://') && URL.canParse(value);
  const secrets = isAddress ? passwordsIn(new URL(value)) : [value];
  return secrets.some((secret) => /change-?me|example/i.test(secret));
}

/** PostgreSQL takes a password as a parameter, too. */
function passwordsIn({ password, searchParams }: URL): string[] {
  return [decoded(password), ...searchParams.getAll('password')];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not encoded: a percent sign of its own
  }
}
