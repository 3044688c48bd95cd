/** Why nothing can be made. The message is shown to the developer, without a stack. */
export class Refusal extends Error {}

/** @throws the Refusal */
export function refuse(message: string): never {
  throw new Refusal(message);
}
