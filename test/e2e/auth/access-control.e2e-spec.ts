import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { MINUTE } from '../../../src/platform/clock';
import { AccessTokens, type AccessClaims } from '../../../src/http/access/access-tokens';
import { AdminOnly, Public, RequirePermission, SignedIn } from '../../../src/http/access/access.decorators';
import { SigningKeys } from '../../../src/platform/signing-keys';
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { newSigningKey } from '../../../dev/local-keys';
import { bearer } from '../../support/actors';
import { TestApp } from '../../support/app';
import { TEST_KEY } from '../../support/settings';

@ApiExcludeController()
@Controller('sample')
class SampleController {
  @Get('open') @Public() open() {
    return 'open';
  }
  @Get('signed-in') @SignedIn() signedIn() {
    return 'signed in';
  }
  @Get('permitted') @RequirePermission('tenant.settings.read') permitted() {
    return 'permitted';
  }
  @Get('admin') @AdminOnly() admin() {
    return 'admin';
  }
}

const CLAIMS: AccessClaims = {
  sub: '00000000-0000-7000-8000-000000000001',
  email: 'a@example.com',
  name: 'A',
  role: '',
  permissions: [],
  is_admin: false,
  jti: '00000000-0000-7000-8000-000000000002',
};

/** A token with arbitrary claims, signed with a valid key. */
function signed(header: object, claims: object): string {
  const content = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), createPrivateKey(TEST_KEY)).toString('base64url')}`;
}

describe('access control', () => {
  let t: TestApp;
  const retired = newSigningKey();
  beforeAll(async () => {
    const JWT_PUBLIC_KEYS = createPublicKey(retired)
      .export({ type: 'spki', format: 'pem' })
      .toString()
      .replaceAll('\n', '\\n');
    t = await TestApp.start({ controllers: [SampleController], env: { JWT_PUBLIC_KEYS } });
  });
  afterAll(() => t.close());

  const get = (path: string, token?: string) =>
    t.api.get(`/sample/${path}`).set(token === undefined ? {} : bearer(token));
  const tokenWith = (claims: Partial<AccessClaims>) => t.nest.get(AccessTokens).issue({ ...CLAIMS, ...claims });
  const codeOf = async (request: ReturnType<typeof get>, status: number) =>
    (await request.expect(status)).body.error.code as string;

  it('allows public routes with a valid token, an invalid one or none', async () => {
    for (const token of [undefined, 'garbage', await tokenWith({})])
      expect((await get('open', token).expect(200)).body).toEqual({ success: true, data: 'open' });
  });

  it('requires a token with a valid form, signature, issuer, audience and type', async () => {
    await get('signed-in', await tokenWith({})).expect(200);
    expect(await codeOf(get('signed-in'), 401)).toBe('UNAUTHENTICATED');
    const here = { iss: 'http://localhost:3000', aud: 'http://localhost:3000' };
    const stranger = await new SigningKeys(createPrivateKey(newSigningKey()), []).sign({
      ...CLAIMS,
      ...here,
      exp: 9e9,
    });
    const good = await tokenWith({});
    const [header, , signature] = good.split('.');
    const adminClaims = JSON.stringify({ ...CLAIMS, ...here, is_admin: true, exp: 9e9 });
    const forged = `${header}.${Buffer.from(adminClaims).toString('base64url')}.${signature}`;
    const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${good.split('.')[1]}.`;
    const ours = new SigningKeys(createPrivateKey(TEST_KEY), []);
    await get('signed-in', await ours.sign({ ...CLAIMS, ...here, exp: 9e9 })).expect(200);
    const otherIssuer = await ours.sign({ ...CLAIMS, ...here, iss: 'https://elsewhere.example', exp: 9e9 });
    const otherAudience = await ours.sign({ ...CLAIMS, ...here, aud: 'https://elsewhere.example', exp: 9e9 });
    const noAudience = await ours.sign({ ...CLAIMS, iss: here.iss, exp: 9e9 });
    const otherType = signed({ alg: 'RS256', typ: 'JWT', kid: ours.kid }, { ...CLAIMS, ...here, exp: 9e9 });
    const noType = signed({ alg: 'RS256', kid: ours.kid }, { ...CLAIMS, ...here, exp: 9e9 });
    for (const bad of [
      '',
      'garbage',
      'a.b.c',
      'bnVsbA.e30.x',
      stranger,
      forged,
      unsigned,
      otherIssuer,
      otherAudience,
      noAudience,
      otherType,
      noType,
    ]) {
      expect(await codeOf(get('signed-in', bad), 401)).toBe('UNAUTHENTICATED');
    }
    expect(await codeOf(t.api.get('/sample/signed-in').set('Authorization', `Basic ${good}`), 401)).toBe(
      'UNAUTHENTICATED',
    );
  });

  it('refuses a token after 15 minutes', async () => {
    const token = await tokenWith({});
    t.clock.advance(15 * MINUTE - 5);
    await get('signed-in', token).expect(200);
    t.clock.advance(10);
    expect(await codeOf(get('signed-in', token), 401)).toBe('ACCESS_TOKEN_EXPIRED');
  });

  it('requires a permission with exactly the declared name', async () => {
    await get('permitted', await tokenWith({ permissions: ['tenant.settings.read'] })).expect(200);
    for (const permissions of [[], ['tenant.settings'], ['tenant.settings.manage'], ['tenant.*']]) {
      expect(await codeOf(get('permitted', await tokenWith({ permissions })), 403)).toBe('FORBIDDEN');
    }
    expect(await codeOf(get('permitted'), 401)).toBe('UNAUTHENTICATED');
  });

  it('grants admin routes to admins only, whatever their permissions', async () => {
    await get('admin', await tokenWith({ is_admin: true })).expect(200);
    expect(await codeOf(get('admin', await tokenWith({ permissions: ['admin'] })), 403)).toBe('FORBIDDEN');
    expect(await codeOf(get('admin'), 401)).toBe('UNAUTHENTICATED');
  });

  it('accepts tokens of a retired key, and publishes both keys', async () => {
    const old = new SigningKeys(createPrivateKey(retired), []);
    const token = await old.sign({ ...CLAIMS, iss: 'http://localhost:3000', aud: 'http://localhost:3000', exp: 9e9 });
    await get('signed-in', token).expect(200);
    const { body, headers } = await t.http.get('/.well-known/jwks.json').expect(200);
    expect(headers['cache-control']).toBe('public, max-age=300');
    expect(body.keys.map(({ kid }: { kid: string }) => kid)).toEqual([t.nest.get(SigningKeys).kid, old.kid]);
    expect(body.keys[0]).toEqual({
      kty: 'RSA',
      e: 'AQAB',
      n: expect.any(String),
      kid: expect.any(String),
      alg: 'RS256',
      use: 'sig',
    });
    expect(JSON.stringify(body)).not.toContain('"d"');
  });

  it('signs with the RFC 7638 thumbprint of a published key as key id', async () => {
    const header = JSON.parse(Buffer.from((await tokenWith({})).split('.')[0], 'base64url').toString()) as {
      kid: string;
      alg: string;
    };
    expect(header).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: t.nest.get(SigningKeys).kid });
  });

  it('refuses a valid token of a deleted account', async () => {
    const actor = await t.actors.signedInUser();
    await t.database.query('DELETE FROM users WHERE id = $1', [actor.user.id]);
    for (const request of [t.api.get('/auth/me'), t.api.patch('/users/me').send({ name: 'x' })]) {
      expect((await request.set(actor.bearer).expect(401)).body.error.code).toBe('UNAUTHENTICATED');
    }
  });
});
