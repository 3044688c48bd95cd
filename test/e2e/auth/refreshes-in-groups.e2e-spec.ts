import { setTimeout } from 'node:timers/promises';
import { CommandBus } from '@nestjs/cqrs';
import { Client, DatabaseError } from 'pg';
import { RefreshSession } from '../../../src/auth/commands/refresh-session';
import { RefreshTokenRepository } from '../../../src/auth/data/refresh-token.repository';
import { TokenIssuer } from '../../../src/auth/services/token-issuer';
import { DAY } from '../../../src/platform/clock';
import { UnitOfWork } from '../../../src/platform/database/unit-of-work';
import { withRequestContext } from '../../../src/platform/observability/request-context';
import { ok } from '../../../src/platform/result';
import { claimsOf, type Member } from '../../support/actors';
import { TestApp } from '../../support/app';

interface Pair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

describe('Refreshes that arrive at the same time', () => {
  let t: TestApp;
  let owners: Member[];
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    owners = await Promise.all(Array.from({ length: 12 }, () => t.actors.owner()));
  });

  /** Begins immediately, so that those of one turn arrive together. */
  const refresh = ({ refreshToken }: { readonly refreshToken: string }) =>
    t.nest.get(CommandBus).execute(new RefreshSession(refreshToken));
  const outcomeOf = async (token: { readonly refreshToken: string }) => {
    const result = await refresh(token);
    return result.ok ? result.value : result.failure.code;
  };
  const refreshAll = async (tokens: readonly { readonly refreshToken: string }[]) =>
    (await Promise.all(tokens.map(outcomeOf))) as Pair[];
  const expectOwn = (pairs: readonly Pair[], of: readonly Member[]) => {
    const expected = of.map(({ user, tenantId }) => ({ sub: user.id, email: user.email, tenant_id: tenantId }));
    expect(pairs.map(({ accessToken }) => claimsOf(accessToken))).toMatchObject(expected);
  };
  /** How many statements have stored the tokens. */
  const statements = async (pairs: readonly Pair[]) => {
    const sql = 'SELECT count(DISTINCT xmin::text)::int AS n FROM refresh_tokens WHERE id = ANY($1)';
    const ids = pairs.map(({ accessToken }) => claimsOf(accessToken).jti);
    return (await t.database.query<{ n: number }>(sql, [ids]))[0].n;
  };
  const failedGroups = () => t.logLines.filter((line) => line.includes('"event":"refresh.group_failed"')).length;
  /** Only the function finds the membership of these: a sign-in policy applies to it. */
  const restrict = (some: readonly Member[]) =>
    t.database.query(
      `INSERT INTO sign_in_policies (tenant_id, max_session_hours, updated_at) SELECT unnest($1::uuid[]), 12, now()`,
      [some.map(({ tenantId }) => tenantId)],
    );

  it('are executed in few statements, each for its own user and tenant', async () => {
    await restrict(owners.filter((_owner, index) => index % 3 === 0));
    const pairs = await refreshAll(owners);
    expectOwn(pairs, owners);
    expect(await statements(pairs)).toBe(4); // two begin alone, eight wait for them, and two for the eight
    expectOwn(await refreshAll(pairs), owners);
  });

  it('keep a session out of a tenant as its sign-in policy demands, wherever in a group it is', async () => {
    const keptOut = owners.filter((_owner, index) => index > 4 && index % 2 === 1); // not the first of a group
    await t.database.query(
      `INSERT INTO sign_in_policies (tenant_id, allowed_methods, updated_at)
         SELECT unnest($1::uuid[]), '{passkey}', now()`,
      [keptOut.map(({ tenantId }) => tenantId)],
    );
    const pairs = await refreshAll(owners);
    expect(await statements(pairs)).toBe(4);
    expect(pairs.map(({ accessToken }) => claimsOf(accessToken).tenant_id)).toEqual(
      owners.map((owner) => (keptOut.includes(owner) ? undefined : owner.tenantId)),
    );
  });

  it('are a transaction of their own if they are several', async () => {
    const refreshTokens = t.nest.get(RefreshTokenRepository);
    const device = { ip: null, userAgent: null };
    const exchanges = await Promise.all(
      owners.map(async ({ refreshToken }) => {
        const token = t.nest.get(TokenIssuer).newRefreshToken().stored;
        return { spent: (await refreshTokens.refOf(refreshToken))!, token, device };
      }),
    );
    const within = t.nest.get(UnitOfWork).transaction(async () => {
      await refreshTokens.rotate(exchanges, t.clock.now(), DAY);
      return ok();
    });
    await expect(within).rejects.toThrow('would leave its scope open');
  });

  it('keep the address and the device of their own request', async () => {
    const devices = owners.map((_owner, index) => ({ ip: `203.0.113.${index}`, userAgent: `"a", \\ {${index}}` }));
    const sent = owners.map((owner, index) =>
      withRequestContext({ requestId: `r${index}`, ...devices[index] }, () => refresh(owner)),
    );
    await Promise.all(sent);
    const sql = `SELECT ip, user_agent AS "userAgent" FROM unnest($1::uuid[]) WITH ORDINALITY AS u(id, place)
      JOIN sessions s ON s.user_id = u.id ORDER BY place`;
    expect(await t.database.query(sql, [owners.map(({ user }) => user.id)])).toEqual(devices);
  });

  it('exchange a token once, even if it is sent three times, and the others are not refused', async () => {
    const [repeated, ...others] = owners;
    const [pairs, ...outcomes] = await Promise.all([
      refreshAll(others),
      outcomeOf(repeated),
      outcomeOf(repeated),
      outcomeOf(repeated),
    ]);
    const isReused = outcomes.map((outcome) => outcome === 'TOKEN_REUSE_DETECTED');
    expect(isReused.filter(Boolean)).toHaveLength(2);
    expect(outcomes[isReused.indexOf(false)]).toMatchObject({ refreshToken: expect.any(String) as string });
    expectOwn(pairs, others);
  });

  it('are refused each for its own reason', async () => {
    const [used, disabled, ended, ...live] = owners;
    await refresh(used);
    await t.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [disabled.user.id]);
    await t.api.post('/auth/logout').send({ refreshToken: ended.refreshToken }).expect(200);
    const unknown = { refreshToken: `${live[0].refreshToken.slice(0, 24)}${'A'.repeat(40)}` };
    const [pairs, ...codes] = await Promise.all([
      refreshAll(live),
      ...[used, disabled, ended, unknown].map((one) => outcomeOf(one)),
    ]);
    expect(codes).toEqual(['TOKEN_REUSE_DETECTED', 'ACCOUNT_DISABLED', 'TOKEN_REUSE_DETECTED', 'INVALID_TOKEN']);
    expectOwn(pairs, live);
  });

  it('do not wait for a session that another transaction has locked', async () => {
    const [locked, ...free] = owners;
    const holder = new Client({ connectionString: t.database.superuserUrl });
    await holder.connect();
    const groups = failedGroups();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM sessions WHERE user_id = $1 FOR UPDATE', [locked.user.id]);
      const [before, ofLocked, after] = [refreshAll(free.slice(0, 5)), refreshAll([locked]), refreshAll(free.slice(5))];
      expectOwn([...(await before), ...(await after)], free);
      await holder.query('COMMIT');
      expectOwn(await ofLocked, [locked]);
      expect(failedGroups()).toBe(groups);
    } finally {
      await holder.end();
    }
  });

  it('of one token do not wait for each other while its session is locked', async () => {
    const [locked] = owners;
    const holder = new Client({ connectionString: t.database.superuserUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM sessions WHERE user_id = $1 FOR UPDATE', [locked.user.id]);
      const start = performance.now();
      const outcomes = await Promise.allSettled([refresh(locked), refresh(locked), refresh(locked)]);
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      expect(performance.now() - start).toBeLessThan(3500); // one after the other, they would take 6 seconds
      await holder.query('ROLLBACK');
      expectOwn(await refreshAll([locked]), [locked]);
    } finally {
      await holder.end();
    }
  });

  /**
   * Refreshes all while the statements of groups end as `end` says: the ten of the groups get its
   * error, are not repeated by the service, and can be repeated by their clients.
   */
  const expectRepeatable = async (end: (send: () => Promise<unknown>) => Promise<never>) => {
    const unitOfWork = t.nest.get(UnitOfWork);
    const query = unitOfWork.query.bind(unitOfWork);
    const spy = jest.spyOn(unitOfWork, 'query').mockImplementation((sql, parameters) => {
      const send = () => query<never>(sql, parameters);
      return Array.isArray(parameters[0]) ? end(send) : send();
    });
    const groups = failedGroups();
    const outcomes = await Promise.allSettled(owners.map(refresh));
    spy.mockRestore();
    const failed = owners.filter((_owner, index) => outcomes[index].status === 'rejected');
    expect(failed).toHaveLength(10);
    expect(failedGroups()).toBe(groups);
    expectOwn(await refreshAll(failed), failed);
  };

  it.each(['Connection terminated unexpectedly', 'read ECONNABORTED', 'unreadable row'])(
    'can be repeated if their statement was executed and not answered: %s',
    async (message) => {
      const lost = Object.assign(new Error(message), { code: message.split(' ')[1] });
      await expectRepeatable(async (send) => {
        await send();
        throw lost;
      });
    },
  );

  it('are not repeated by the service if PostgreSQL refused them after a long time', async () => {
    const canceled = Object.assign(new DatabaseError('statement timeout', 1, 'error'), { code: '57014' });
    await expectRepeatable(async () => {
      await setTimeout(600);
      throw canceled;
    });
  });

  it('succeed although one of them fails', async () => {
    const [broken, ...others] = owners;
    await restrict([broken]);
    const [{ source }] = await t.database.query<{ source: string }>(
      `SELECT pg_get_functiondef('session_membership_of'::regproc) AS source`,
    );
    await t.database.query(source.replace('BEGIN', `BEGIN RAISE EXCEPTION 'a bug';`));
    const groups = failedGroups();
    try {
      const [pairs, refused] = await Promise.allSettled([refreshAll(others), refresh(broken)]);
      expect(refused).toMatchObject({ status: 'rejected', reason: { message: 'a bug' } });
      expectOwn((pairs as PromiseFulfilledResult<Pair[]>).value, others);
      expect(failedGroups()).toBe(groups + 1);
    } finally {
      await t.database.query(source);
    }
    expectOwn(await refreshAll([broken]), [broken]);
  });
});
