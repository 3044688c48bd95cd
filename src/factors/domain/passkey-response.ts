/** What an authenticator returns for a new passkey (WebAuthn, RegistrationResponseJSON). */
export interface PasskeyRegistration {
  /** The credential id. This and all that follows are bytes in URL-safe base64. */
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    /** Not signed. */
    readonly transports?: readonly string[];
  };
}

/** What an authenticator returns when it signs (WebAuthn, AuthenticationResponseJSON). */
export interface PasskeyAssertion {
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string;
  };
}
