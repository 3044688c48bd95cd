import type { Redis } from '../../platform/redis';
import { UnconfirmedTokenRotations } from './unconfirmed-token-rotations';

describe('Unconfirmed rotations of a token', () => {
  const token = (id: string) => ({ id, secretHash: Buffer.from(`secret of ${id}`) });
  const spent = token('spent');
  const fail = (message: string) => () => Promise.reject(new Error(message));
  let rotations: UnconfirmedTokenRotations;
  const attempt = (successor: string, message = 'Query read timeout') =>
    rotations.watch(spent, token(successor), fail(message)).catch(() => undefined);
  const successors = () => rotations.successorsOf(spent);
  beforeEach(() => {
    rotations = new UnconfirmedTokenRotations({} as Redis);
  });

  it('are remembered when PostgreSQL sent no response, and not when it refused', async () => {
    await attempt('a');
    await attempt('b', 'duplicate key');
    expect(await successors()).toEqual([token('a')]);
  });

  it('are the newest 20, because the earlier ones may never have reached PostgreSQL', async () => {
    const all = Array.from({ length: 22 }, (_, n) => `successor-${n}`);
    for (const successor of all) await attempt(successor);
    expect(await successors()).toEqual(all.slice(2).map(token));
  });
});
