import type { FactorMethod } from '../../factors/factors.api';

/** What a sign-in returns in place of tokens if the account has a second factor. */
export class SecondFactorNeeded {
  readonly secondFactor: {
    /** Continues the sign-in; single use. */
    readonly ticket: string;
    readonly methods: readonly FactorMethod[];
    /** Seconds until the ticket expires. */
    readonly expiresIn: number;
  };

  constructor(ticket: string, methods: readonly FactorMethod[], expiresIn: number) {
    this.secondFactor = { ticket, methods, expiresIn };
  }
}
