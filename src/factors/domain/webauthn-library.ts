/**
 * The library that verifies responses of authenticators, and its decoders. It is loaded with the
 * first passkey, because it takes 6 MB of memory and a tenth of a second. Node keeps it.
 * @throws if it cannot be loaded; the next call tries again
 */
export const loadWebauthn = async () => ({
  ...(await import('@simplewebauthn/server')),
  ...(await import('@simplewebauthn/server/helpers')),
});

export type WebauthnLibrary = Awaited<ReturnType<typeof loadWebauthn>>;
