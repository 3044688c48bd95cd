import { isIn, signIn, type ActorName, type Tokens } from './actors';
import type { TestTenants, TestTenantsFactory } from './test-tenants';

/**
 * The current test tenants with the tokens of their actors. They are replaced when requests have
 * changed them.
 */
export class SignedInTestTenants {
  private current?: { readonly tenants: TestTenants; readonly tokens: Tokens };
  /** Test tenants whose foreign tenant is unchanged. */
  private last?: TestTenants;

  constructor(
    private readonly address: string,
    private readonly factory: TestTenantsFactory,
  ) {}

  /**
   * Returns test tenants in which the actor is signed in: the current ones, unless requests have
   * it or signed the actor out.
   */
  async forActor(actor: ActorName): Promise<{ tenants: TestTenants; token: string | undefined }> {
    if (!this.current || !(await this.isSignedIn(actor))) {
      const tenants = await this.factory.make(this.last);
      this.last = tenants;
      this.current = { tenants, tokens: await signIn(this.address, this.factory.fixtures, tenants) };
    }
    const { tenants, tokens } = this.current;
    return { tenants, token: tokens[actor] };
  }

  /**
   * Marks the current test tenants as changed. The next actor gets new ones, so that requests do
   * not depend on earlier ones.
   * @param isForeignChanged whether the foreign tenant may have been changed, too
   */
  discard(isForeignChanged: boolean): void {
    this.current = undefined;
    if (isForeignChanged) this.last = undefined;
  }

  private async isSignedIn(actor: ActorName): Promise<boolean> {
    const token = this.current!.tokens[actor];
    return token === undefined || isIn(this.address, token);
  }
}
