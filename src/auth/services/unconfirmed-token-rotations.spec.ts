import { DatabaseError } from 'pg';
import type { Redis } from '../../platform/redis';
import type { RefreshTokenRef } from '../domain/refresh-token-text';
import { UnconfirmedTokenRotations } from './unconfirmed-token-rotations';

describe('Unconfirmed rotations of a token', () => {
  const token = (id: string) => ({ id, secretHash: Buffer.from(`secret of ${id}`) });
  const spent = token('spent');
  let rotations: UnconfirmedTokenRotations;
  const attempt = (successor: string, error = new Error('Query read timeout')) =>
    rotations.watch(spent, token(successor), () => Promise.reject(error)).catch(() => undefined);
  const successors = async () => {
    const found: RefreshTokenRef[] = [];
    for await (const successor of rotations.successorsOf(spent)) found.push(successor);
    return found;
  };
  beforeEach(() => {
    rotations = new UnconfirmedTokenRotations({} as Redis);
  });

  it('are remembered when PostgreSQL may have committed, and not when it refused or was not reached', async () => {
    await attempt('a');
    await attempt('b', Object.assign(new DatabaseError('duplicate key', 1, 'error'), { code: '23505' }));
    await attempt('c', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
    await attempt('d', new TypeError('a row that cannot be read'));
    expect(await successors()).toEqual([token('a'), token('d')]);
  });

  it('are the newest 20, because the earlier ones may never have reached PostgreSQL', async () => {
    const all = Array.from({ length: 22 }, (_, n) => `successor-${n}`);
    for (const successor of all) await attempt(successor);
    expect(await successors()).toEqual(all.slice(2).map(token));
  });
});
