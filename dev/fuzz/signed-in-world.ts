import { isIn, signIn, type ActorName, type Tokens } from './actors';
import type { World, WorldFactory } from './world';

/**
 * The world that requests are sent to, and the tokens of its people; replaced when requests have
 * changed it.
 */
export class SignedInWorld {
  private current?: { readonly world: World; readonly tokens: Tokens };

  constructor(
    private readonly address: string,
    private readonly worlds: WorldFactory,
  ) {}

  /**
   * A world in which the actor is signed in: the one before, unless something was changed in it or
   * they were signed out.
   */
  async with(actor: ActorName): Promise<{ world: World; token: string | undefined }> {
    if (!this.current || !(await this.isWhole(actor))) {
      const world = await this.worlds.make();
      this.current = { world, tokens: await signIn(this.address, this.worlds.fixtures, world) };
    }
    const { world, tokens } = this.current;
    return { world, token: tokens[actor] };
  }

  /**
   * Something was changed in this world: who asks next gets another one, so that what they do does
   * not depend on what was done before.
   */
  leave(): void {
    this.current = undefined;
  }

  private async isWhole(actor: ActorName): Promise<boolean> {
    const token = this.current!.tokens[actor];
    return token === undefined || isIn(this.address, token);
  }
}
