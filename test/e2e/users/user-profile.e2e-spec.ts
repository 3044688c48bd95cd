import { PASSWORD, type SignedInUser } from '../../support/actors';
import { IdentityProvider } from '../../../dev/identity-provider';
import { TestApp } from '../../support/app';
import { Browser } from '../../support/browser';
import { someone } from '../../support/provider-users';
import { uploadOf, withScans } from '../../support/picture-files';
import sharp from 'sharp';

describe('the profile', () => {
  const identityProvider = new IdentityProvider();
  let t: TestApp;
  let ada: SignedInUser;
  beforeAll(async () => {
    t = await TestApp.start({ identityProvider });
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    ada = await t.actors.signedInUser();
  });

  const change = (body: object) => t.api.patch('/users/me').set(ada.bearer).send(body);
  const upload = (file: Buffer, type = 'image/png') =>
    t.api.put('/users/me/picture').set(ada.bearer).set('Content-Type', type).send(file);
  const stored = async () => (await t.api.get('/auth/me').set(ada.bearer).expect(200)).body.data.user;
  const pathOf = (url: string) => new URL(url).pathname.replace('/api/v1', '');

  describe('has a language and a time zone', () => {
    it('which are stored in their canonical form, and removed by null', async () => {
      const { body } = await change({ language: 'EN-gb', timeZone: 'Europe/Berlin' }).expect(200);
      expect(body.data).toMatchObject({ name: 'Ada', language: 'en-GB', timeZone: 'Europe/Berlin' });
      expect(await stored()).toMatchObject({ language: 'en-GB', timeZone: 'Europe/Berlin' });
      await change({ language: null }).expect(200);
      expect(await stored()).toMatchObject({ language: null, timeZone: 'Europe/Berlin' });
    });

    it.each([
      ['language', 'not a tag'],
      ['language', 'x'.repeat(40)],
      ['language', ''],
      ['language', 7],
      ['timeZone', 'Mars/Olympus'],
      ['timeZone', '+01:00'],
      ['timeZone', ''],
      ['timeZone', ['UTC']],
    ])('but not the %s %j', async (field, value) => {
      const { body } = await change({ [field]: value }).expect(400);
      expect(body.error.details).toHaveProperty(field);
      expect(await stored()).toMatchObject({ language: null, timeZone: null });
    });

    it('in which emails tell the time', async () => {
      await change({ language: 'en-GB', timeZone: 'Asia/Kolkata' }).expect(200);
      const passwords = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
      await t.api.put('/auth/password').set(ada.bearer).send(passwords).expect(200);
      const { text } = await t.mailbox.titled(ada.user.email, 'Your password was changed');
      expect(text).toMatch(/When: \d+ \w+ \d{4} at \d\d:\d\d GMT\+5:30/);
    });
  });

  describe('has a picture', () => {
    it('that is cut to a square, without the place where it was taken', async () => {
      const { body } = await upload(await uploadOf('jpeg', 900, 600), 'image/jpeg').expect(200);
      const picture = await t.api.get(pathOf(body.data.pictureUrl)).expect(200).expect('Content-Type', 'image/webp');
      expect(picture.headers['cache-control']).toBe('public, max-age=31536000');
      const kept = await sharp(picture.body as Buffer).metadata();
      expect(kept).toMatchObject({ format: 'webp', width: 256, height: 256 });
      expect(kept.exif).toBeUndefined();
      expect((picture.body as Buffer).includes('secret garden')).toBe(false);
      expect((await stored()).pictureUrl).toBe(body.data.pictureUrl);
    });

    it('whose address dies when it is replaced or removed', async () => {
      const first = (await upload(await uploadOf('png', 10, 10)).expect(200)).body.data.pictureUrl;
      const second = (await upload(await uploadOf('webp', 10, 10), 'image/webp').expect(200)).body.data.pictureUrl;
      await t.api.get(pathOf(first)).expect(404);
      await t.api.get(pathOf(second)).expect(200);
      await t.api.delete('/users/me/picture').set(ada.bearer).expect(200);
      await t.api.delete('/users/me/picture').set(ada.bearer).expect(200);
      await t.api.get(pathOf(second)).expect(404);
      expect((await stored()).pictureUrl).toBeNull();
    });

    it('of which one is left after ten uploads at once', async () => {
      const file = await uploadOf('gif', 20, 20);
      const answers = await Promise.all(Array.from({ length: 10 }, () => upload(file, 'image/gif')));
      const [taken, refused] = [answers.filter(({ status }) => status === 200), answers.filter(({ ok }) => !ok)];
      expect(taken.length).toBeGreaterThan(0);
      expect(new Set(refused.map(({ status }) => status))).toEqual(new Set(refused.length > 0 ? [429] : []));
      const { pictureUrl } = await stored();
      const found = await Promise.all(taken.map(({ body }) => t.api.get(pathOf(body.data.pictureUrl))));
      const alive = taken.filter((_, index) => found[index].status === 200);
      expect(alive.map(({ body }) => body.data.pictureUrl)).toEqual([pictureUrl]);
    });

    it.each<[string, number, () => Buffer | Promise<Buffer>, string]>([
      ['that is no image', 400, () => Buffer.from('hello'), 'image/png'],
      ['that is empty', 400, () => Buffer.alloc(0), 'image/png'],
      ['cut off in the middle', 400, async () => (await uploadOf('png', 200, 200)).subarray(0, 200), 'image/png'],
      ['drawn by a program', 400, () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/png'],
      ['of more than 24 megapixels', 400, () => uploadOf('png', 6000, 4001), 'image/png'],
      ['of more than 12 that is interlaced', 400, () => uploadOf('png', 4000, 3001, true), 'image/png'],
      ['with hundreds of scans', 400, async () => withScans(await uploadOf('jpeg', 200, 200), 500), 'image/jpeg'],
      ['of more than 5 MB', 413, () => Buffer.alloc(5 * 1024 * 1024 + 1), 'image/png'],
      ['in another format', 415, () => Buffer.from('%PDF-1.7'), 'application/pdf'],
    ])('but none %s', async (_, status, file, type) => {
      await upload(await file(), type).expect(status);
      expect((await stored()).pictureUrl).toBeNull();
    });

    it.each(['/users/me/picture', '/users/me/picture/', '/USERS/me/picture'])(
      'but none that a JSON body at %s describes',
      async (path) => {
        const described = [{ create: { width: 9, height: 9, channels: 3, background: '#fff' } }];
        const sent = t.api
          .put(path)
          .set(ada.bearer)
          .send([...described, ...described]);
        expect([400, 404, 415]).toContain((await sent).status);
        expect((await stored()).pictureUrl).toBeNull();
      },
    );

    it('which strangers cannot set', async () => {
      const file = await uploadOf('png', 10, 10);
      await t.api.put('/users/me/picture').set('Content-Type', 'image/png').send(file).expect(401);
      const impersonated = await t.actors.impersonating(await t.actors.admin(), ada);
      const sent = t.api.put('/users/me/picture').set(impersonated.bearer).set('Content-Type', 'image/png').send(file);
      expect((await sent.expect(403)).body.error.code).toBe('NOT_WHILE_IMPERSONATING');
    });

    it('which a provider does not bring back', async () => {
      const email = ada.user.email;
      const profile = someone({ email, pictureUrl: 'https://pictures.test/ada.png' });
      await new Browser(t).signIn('google', profile);
      expect((await stored()).pictureUrl).toBe('https://pictures.test/ada.png');
      await t.api.delete('/users/me/picture').set(ada.bearer).expect(200);
      await new Browser(t).signIn('google', profile);
      expect((await stored()).pictureUrl).toBeNull();
    });

    it.each(['x', '%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00', 'a'.repeat(22)])(
      'and none at the address %s',
      async (key) => {
        await t.api.get(`/pictures/${key}`).expect(404);
      },
    );
  });
});

describe('uploads of pictures', () => {
  it('are limited to ten a minute of a user', async () => {
    const t = await TestApp.start({ env: { RATE_LIMIT_PER_MINUTE: '1000' } });
    const [ada, eve] = await Promise.all([t.actors.signedInUser(), t.actors.signedInUser()]);
    const upload = (by: SignedInUser) =>
      t.api.put('/users/me/picture').set(by.bearer).set('Content-Type', 'image/png').send(Buffer.from('no image'));
    for (let i = 0; i < 10; i++) await upload(ada).expect(400);
    const refused = await upload(ada).expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await upload(eve).expect(400);
    await t.close();
  });
});
