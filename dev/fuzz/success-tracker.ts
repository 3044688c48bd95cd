import type { ActorName } from './actors';
import type { Operation } from './operations';
import type { FuzzAnswer, FuzzRequest } from './request';

/** Operations that need not succeed in a run, with the reason. */
export const EXCUSED: Readonly<Record<string, string>> = {
  finishGoogle: 'it needs a browser that returns from the provider',
  finishGithub: 'it needs a browser that returns from the provider',
  registerPasskey: 'it needs the key of an authenticator',
  signInByPasskey: 'it needs the signature of an authenticator',
};

/**
 * Tracks which operations have succeeded. If an operation always fails, the response of its success
 * has not been checked.
 */
export class SuccessTracker {
  private readonly succeeded = new Set<string>();
  private readonly refusals = new Map<string, string[]>();

  note(
    { id }: Operation,
    actor: ActorName,
    { isElsewhere }: FuzzRequest,
    response: FuzzAnswer,
    isPlain: boolean,
  ): void {
    if (isSuccessful(response) && !isElsewhere) this.succeeded.add(id);
    else if (isPlain)
      this.refusals.set(id, [...(this.refusals.get(id) ?? []), `${actor} ${response.status} ${codeOf(response)}`]);
  }

  /** Operations that never succeeded and need not. */
  excused(operations: readonly Operation[]): string[] {
    return operations
      .filter(({ id }) => !this.succeeded.has(id) && id in EXCUSED)
      .map(({ id }) => `${id} never succeeded: ${EXCUSED[id]}`);
  }

  /** Operations that never succeeded but should. */
  missing(operations: readonly Operation[]): string[] {
    return operations
      .filter(({ id }) => !this.succeeded.has(id) && !(id in EXCUSED))
      .map(
        ({ id }) => `${id} never succeeded; its plain requests: ${this.refusals.get(id)?.join(', ') ?? 'no response'}`,
      );
  }
}

/** Whether a response is a success. A redirect with an error is not. */
export function isSuccessful({ status, headers }: FuzzAnswer): boolean {
  return status >= 200 && status < 400 && !/[#&?]error=/.test(headers.location ?? '');
}

const codeOf = ({ text }: FuzzAnswer) => /"code":"([A-Z_]+)"/.exec(text)?.[1] ?? '';
