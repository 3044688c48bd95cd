import type { CDPSession } from 'playwright-core';
import type { Page } from './browser-user';

/**
 * The authenticator of a device, within Chromium (DevTools protocol, domain WebAuthn). It keeps
 * passkeys, and verifies its user by a fingerprint.
 */
export class VirtualAuthenticator {
  private constructor(
    private readonly session: CDPSession,
    private readonly authenticatorId: string,
  ) {}

  /** Gives a tab an authenticator, the user of which does nothing yet. */
  static async of(page: Page): Promise<VirtualAuthenticator> {
    const session = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable', { enableUI: false });
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: false,
      },
    });
    return new VirtualAuthenticator(session, authenticatorId);
  }

  /** Whether the user puts a finger on it as soon as it asks, also in the autofill. */
  async setPresent(enabled: boolean): Promise<void> {
    const { authenticatorId } = this;
    await this.session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
  }

  /** Whether it is the finger of the user. */
  async setVerified(isUserVerified: boolean): Promise<void> {
    const { authenticatorId } = this;
    await this.session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  }

  /** The ids of its passkeys, in base64. */
  async passkeys(): Promise<string[]> {
    const { authenticatorId } = this;
    const { credentials } = await this.session.send('WebAuthn.getCredentials', { authenticatorId });
    return credentials.map(({ credentialId }) => credentialId);
  }

  /** A password manager begins to synchronize a passkey, which it could not before. */
  async synchronize(credentialId: string): Promise<void> {
    const { authenticatorId } = this;
    const properties = { authenticatorId, credentialId, backupEligibility: true, backupState: true };
    await this.session.send('WebAuthn.setCredentialProperties', properties);
  }
}
