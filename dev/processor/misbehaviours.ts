/** How the API treats a request instead of answering properly. */
export type Misbehaviour =
  | 'rate-limit' // 429
  | 'error' // 500
  | 'hang' // never answers
  | 'disconnect' // closes the connection and does nothing
  | 'disconnect-after'; // does what was asked, but the answer is lost

/** The misbehaviours that are still to come. */
export class Misbehaviours {
  private readonly planned: { how: Misbehaviour; count: number; only?: string }[] = [];

  /** @param only a part of the template (`POST /v1/customers/{id}`) of the requests it is for */
  plan(how: Misbehaviour, count: number, only?: string): void {
    if (count > 0) this.planned.push({ how, count, only });
  }

  next(template: string): Misbehaviour | undefined {
    const index = this.planned.findIndex(({ only }) => only === undefined || template.includes(only));
    if (index === -1) return undefined;
    const found = this.planned[index];
    found.count -= 1;
    if (found.count === 0) this.planned.splice(index, 1);
    return found.how;
  }
}
