import { Injectable } from '@nestjs/common';

/** A person whose account was deleted: by what the remaining traces are found. */
export interface ErasedPerson {
  readonly userId: string;
  /** The current address first, then earlier ones; none as soon as the last email was sent. */
  readonly emails: readonly string[];
  /** Later data belong to another person, such as a new account with the address. */
  readonly erasedAt: Date;
  /** The tenants that were deleted with the account. */
  readonly deletedTenantIds: readonly string[];
  /** The tenants that the person was in besides. */
  readonly leftTenantIds: readonly string[];
}

/** Erases up to `limit` traces, in a transaction across tenants. @returns how many it found */
export type EraseTraces = (person: ErasedPerson, limit: number) => Promise<number>;

/**
 * How modules erase what the deletion of an account leaves behind: rows that do not refer to the
 * account, such as notifications of others. Rows that do are deleted with it, by foreign keys.
 */
@Injectable()
export class ErasureSteps {
  private readonly steps: EraseTraces[] = [];

  /** Adds a step. It must find nothing when it is repeated. */
  add(step: EraseTraces): void {
    this.steps.push(step);
  }

  /** Runs every step once. @returns whether one of them may find more */
  async run(person: ErasedPerson, limit: number): Promise<boolean> {
    let isMore = false;
    for (const step of this.steps) isMore = (await step(person, limit)) >= limit || isMore;
    return isMore;
  }
}
