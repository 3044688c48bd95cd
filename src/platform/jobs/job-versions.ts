import type { Command } from '@nestjs/cqrs';
import type { Result } from '../result';
import type { JobPayload, StoredFields, TaskMark } from './jobs';

/** A payload of another version that cannot be converted. */
export class UnsupportedVersion extends Error {
  /** @param isFinal whether another attempt is useless, because the version is older */
  constructor(
    message: string,
    readonly isFinal: boolean,
  ) {
    super(message);
  }
}

/**
 * Restores the command of a stored job. Fields of an earlier version are converted step by step.
 * @throws UnsupportedVersion if a conversion is missing, or the payload is newer than this code
 */
export function restoreCommand(
  { command: stored, version: from = 1 }: JobPayload,
  { task, version, upcast = {} }: TaskMark,
  prototype: object,
): Command<Result<unknown, string>> {
  if (from > version)
    throw new UnsupportedVersion(
      `The job '${task}' has version ${from}, and this instance knows version ${version}. A newer instance can run it.`,
      false,
    );
  let fields = stored as StoredFields;
  for (let step = from; step < version; step++) {
    if (!(step in upcast))
      throw new UnsupportedVersion(
        `The job '${task}' has version ${step}, and nothing converts it to version ${step + 1}. ` +
          'Declare a conversion at its command, or delete the job.',
        true,
      );
    fields = upcast[step](fields);
  }
  return Object.assign(Object.create(prototype) as Command<Result<unknown, string>>, fields);
}
