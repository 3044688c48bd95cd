import type { ActorName } from './actors';
import type { Operation } from './operations';
import type { FuzzAnswer, FuzzRequest } from './request';

/** Operations that need not succeed in a run, and why. */
export const EXCUSED: Readonly<Record<string, string>> = {
  finishGoogle: 'only a browser that comes back from the provider signs in by it',
  finishGithub: 'only a browser that comes back from the provider signs in by it',
};

/**
 * Which operations have succeeded: an answer that is always a refusal says nothing about the body
 * of a success.
 */
export class SuccessTracker {
  private readonly succeeded = new Set<string>();
  private readonly refusals = new Map<string, string[]>();

  note({ id }: Operation, actor: ActorName, { isElsewhere }: FuzzRequest, answer: FuzzAnswer, isPlain: boolean): void {
    if (isSuccessful(answer) && !isElsewhere) this.succeeded.add(id);
    else if (isPlain)
      this.refusals.set(id, [...(this.refusals.get(id) ?? []), `${actor} ${answer.status} ${codeOf(answer)}`]);
  }

  /** The operations that never succeeded, although they need not. */
  excused(operations: readonly Operation[]): string[] {
    return operations
      .filter(({ id }) => !this.succeeded.has(id) && id in EXCUSED)
      .map(({ id }) => `${id} never succeeded: ${EXCUSED[id]}`);
  }

  /** Those that never succeeded and have no excuse. */
  missing(operations: readonly Operation[]): string[] {
    return operations
      .filter(({ id }) => !this.succeeded.has(id) && !(id in EXCUSED))
      .map(
        ({ id }) =>
          `${id} never succeeded; its plain requests: ${this.refusals.get(id)?.join(', ') ?? 'none was answered'}`,
      );
  }
}

/** Whether an answer is a success; a redirect that tells of an error is none. */
export function isSuccessful({ status, headers }: FuzzAnswer): boolean {
  return status >= 200 && status < 400 && !/[#&?]error=/.test(headers.location ?? '');
}

const codeOf = ({ text }: FuzzAnswer) => /"code":"([A-Z_]+)"/.exec(text)?.[1] ?? '';
