/**
 * The library that verifies responses of authenticators, and its decoders. It is loaded with the
 * first passkey, because it takes 6 MB of memory and 0.1 to 0.2 s. Node keeps it.
 * @throws if it cannot be loaded; the next call tries again
 */
export const loadWebauthn = async (): Promise<WebauthnLibrary> => ({
  ...(await import('@simplewebauthn/server')),
  ...(await import('@simplewebauthn/server/helpers')),
});

export type WebauthnLibrary = typeof import('@simplewebauthn/server') & typeof import('@simplewebauthn/server/helpers');
