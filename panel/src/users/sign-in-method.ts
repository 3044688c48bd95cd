/** Names of the methods of a sign-in. */
const METHODS: Partial<Record<string, string>> = {
  password: 'Password',
  passkey: 'Passkey',
  'magic-link': 'Email link',
  verification: 'Verification email',
  invitation: 'Invitation',
  google: 'Google',
  github: 'GitHub',
};

/** How a user signed in, for display: "Email link"; undefined if unknown. */
export const signInMethodOf = (method: string | null) => (method === null ? undefined : (METHODS[method] ?? method));
