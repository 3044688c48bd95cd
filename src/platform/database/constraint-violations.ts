import { err, ok, type Failure, type Result } from '../result';
import { violatedConstraint } from './database-errors';

/**
 * Runs a write and translates the refusal of a constraint: the database holds the invariant, also
 * between concurrent transactions. After a refusal the running transaction must be rolled back.
 * @param failures the failure of each constraint, by its name
 * @throws any error that is not a violation of these constraints
 */
export async function unlessViolated<Code extends string>(
  failures: Readonly<Record<string, Failure<Code> | undefined>>,
  write: () => Promise<unknown>,
): Promise<Result<void, Code>> {
  try {
    await write();
    return ok();
  } catch (error) {
    const failure = failures[violatedConstraint(error) ?? ''];
    if (failure) return err(failure);
    throw error;
  }
}
