import { isIn, signIn, type ActorName, type Tokens } from './actors';
import type { World, WorldFactory } from './test-tenants';

/**
 * The current world with the tokens of its actors. It is replaced when requests have changed it.
 */
export class SignedInWorld {
  private current?: { readonly world: World; readonly tokens: Tokens };

  constructor(
    private readonly address: string,
    private readonly worlds: WorldFactory,
  ) {}

  /**
   * Returns a world in which the actor is signed in: the current one, unless requests have changed
   * it or signed the actor out.
   */
  async forActor(actor: ActorName): Promise<{ world: World; token: string | undefined }> {
    if (!this.current || !(await this.isSignedIn(actor))) {
      const world = await this.worlds.make();
      this.current = { world, tokens: await signIn(this.address, this.worlds.fixtures, world) };
    }
    const { world, tokens } = this.current;
    return { world, token: tokens[actor] };
  }

  /**
   * Marks the current world as changed. The next actor gets a new one, so that requests do not
   * depend on earlier ones.
   */
  discard(): void {
    this.current = undefined;
  }

  private async isSignedIn(actor: ActorName): Promise<boolean> {
    const token = this.current!.tokens[actor];
    return token === undefined || isIn(this.address, token);
  }
}
