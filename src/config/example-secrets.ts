/**
 * Whether a secret is an example value. Of a URL only the password counts.
 * @param value a secret, or a URL with a password
 */
export function isExample(value = ''): boolean {
  const isAddress = value.includes('://') && URL.canParse(value);
  const secrets = isAddress ? passwordsIn(new URL(value)) : [value];
  return secrets.some((secret) => /change-?me|example/i.test(secret));
}

/** PostgreSQL also accepts the password as a query parameter. */
function passwordsIn({ password, searchParams }: URL): string[] {
  return [decoded(password), ...searchParams.getAll('password')];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not percent-encoded
  }
}
