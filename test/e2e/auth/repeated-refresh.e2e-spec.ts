import { randomBytes } from 'node:crypto';
import { MINUTE } from '../../../src/platform/clock';
import { bearer, claimsOf, type SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';
import { expectSessionEnd } from '../../support/session-end';

const newKey = () => randomBytes(16).toString('hex');

describe('a refresh with an Idempotency-Key', () => {
  let t: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
    other = await TestApp.start({ beside: t });
  });
  afterAll(async () => {
    await other.close();
    await t.close();
  });

  const refresh = (refreshToken: string, key?: string, app = t) => {
    const request = app.api.post('/auth/refresh').send({ refreshToken });
    return key === undefined ? request : request.set('Idempotency-Key', key);
  };
  type Pair = { readonly accessToken: string; readonly refreshToken: string };
  const pairOf = async (refreshToken: string, key?: string, app = t): Promise<Pair> =>
    (await refresh(refreshToken, key, app).expect(200)).body.data;
  const expectReuse = async (refreshToken: string, key?: string) =>
    expect((await refresh(refreshToken, key).expect(401)).body.error.code).toBe('TOKEN_REUSE_DETECTED');
  const replays = async () => /refresh_replays_total (\d+)/.exec((await t.http.get('/metrics')).text)![1];
  /** A session whose refresh token was exchanged with a key. */
  const exchanged = async (): Promise<{ actor: SignedInUser; key: string; next: Pair }> => {
    const [actor, key] = [await t.actors.signedInUser(), newKey()];
    return { actor, key, next: await pairOf(actor.refreshToken, key) };
  };

  it('is repeated with the same key: the same refresh token, and an access token of the same id', async () => {
    const { actor, key, next } = await exchanged();
    const before = Number(await replays());
    for (const app of [t, other, t]) {
      const again = await pairOf(actor.refreshToken, key, app);
      expect(again.refreshToken).toBe(next.refreshToken);
      expect(claimsOf(again.accessToken).jti).toBe(claimsOf(next.accessToken).jti);
      await t.api.get('/auth/me').set(bearer(again.accessToken)).expect(200);
    }
    expect(Number(await replays())).toBe(before + 2); // of this instance
    const last = await pairOf(next.refreshToken, key); // the key of the exchange before may stay
    expect(last.refreshToken).not.toBe(next.refreshToken);
    await pairOf(last.refreshToken);
  });

  it('sets the cookie again, and has the claims of now', async () => {
    const { actor, key, next } = await exchanged();
    await t.api.patch('/users/me').set(bearer(next.accessToken)).send({ name: 'Renamed' }).expect(200);
    const { body, headers } = await refresh(actor.refreshToken, key).expect(200);
    expect(headers['set-cookie'][0]).toContain(`refresh_token=${next.refreshToken};`);
    expect(claimsOf(body.data.accessToken)).toMatchObject({ name: 'Renamed' });
  });

  it.each<[string, (key: string) => string | undefined]>([
    ['without the key', () => undefined],
    ['with another one', () => newKey()],
    ['with another case of it', (key) => key.toUpperCase() + 'X'],
  ])('is a reuse %s, which ends the session', async (_what, keyOf) => {
    const { actor, key, next } = await exchanged();
    await expectReuse(actor.refreshToken, keyOf(key));
    await expectReuse(next.refreshToken, key);
    await expectReuse(actor.refreshToken, key); // the session has ended
  });

  it('is a reuse once the next token was used', async () => {
    const { actor, key, next } = await exchanged();
    const last = await pairOf(next.refreshToken, newKey());
    await expectReuse(actor.refreshToken, key);
    await expectReuse(last.refreshToken);
  });

  it('is a reuse after ten minutes', async () => {
    const { actor, key } = await exchanged();
    t.clock.advance(10 * MINUTE - 5);
    await pairOf(actor.refreshToken, key);
    t.clock.advance(10);
    await expectReuse(actor.refreshToken, key);
  });

  it('does not repeat the exchange of a token that was spent without a key', async () => {
    const actor = await t.actors.signedInUser();
    await pairOf(actor.refreshToken);
    await expectReuse(actor.refreshToken, newKey());
  });

  it('gives all of 50 simultaneous requests on two instances the same next token', async () => {
    const [actor, key] = [await t.actors.signedInUser(), newKey()];
    const pairs = await Promise.all(
      Array.from({ length: 50 }, (_, index) => pairOf(actor.refreshToken, key, index % 2 ? t : other)),
    );
    expect(new Set(pairs.map(({ refreshToken }) => refreshToken)).size).toBe(1);
    expect(new Set(pairs.map(({ accessToken }) => claimsOf(accessToken).jti)).size).toBe(1);
    await pairOf(pairs[0].refreshToken, key);
  });

  it('issues access tokens that end with the session, however late it is repeated', async () => {
    const { actor, key, next } = await exchanged();
    t.clock.advance(9 * MINUTE);
    const late = await pairOf(actor.refreshToken, key);
    t.clock.advance(8 * MINUTE);
    await t.api.get('/auth/me').set(bearer(late.accessToken)).expect(200);
    await t.api.post('/auth/logout').send({ refreshToken: next.refreshToken }).expect(200);
    await expectSessionEnd(() => t.api.get('/auth/me').set(bearer(late.accessToken)));
  });

  it('is refused after the session was ended, and for a disabled account', async () => {
    const ended = await exchanged();
    await t.api.post('/auth/logout').send({ refreshToken: ended.next.refreshToken }).expect(200);
    await expectReuse(ended.actor.refreshToken, ended.key);
    const disabled = await exchanged();
    await t.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [disabled.actor.user.id]);
    const { body } = await refresh(disabled.actor.refreshToken, disabled.key).expect(403);
    expect(body.error.code).toBe('ACCOUNT_DISABLED');
  });

  it.each(['short', 'has spaces in between them', 'x'.repeat(201), 'caf\u00e9-caf\u00e9-caf\u00e9'])(
    'is refused for the key "%s" before the token is used',
    async (key) => {
      const actor = await t.actors.signedInUser();
      const { body } = await refresh(actor.refreshToken, key).expect(400);
      expect(Object.keys(body.error.details)).toEqual(['Idempotency-Key']);
      await pairOf(actor.refreshToken);
    },
  );
});
