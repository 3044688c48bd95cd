import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { builtService } from '../../support/built-service';
import { SERVICE_ROLE } from '../../../dev/service-database';
import { TestDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';
import { Mailbox } from '../../support/mailbox';
import { productionSettings, ServiceProcess, stopServices } from '../../support/service-process';

/** The folder of the build. */
let built: string;

afterEach(() => stopServices());

describe('The built service', () => {
  let database: TestDatabase;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    built = await builtService();
    database = await TestDatabase.create();
    env = productionSettings(database.url);
  }, 60_000);
  afterAll(() => database.drop());

  it('contains no files of dev/', () => expect(existsSync(join(built, 'dev'))).toBe(false));

  it('does not start without required settings, and lists all that are missing, also those of production', async () => {
    const service = await ServiceProcess.start(built, {});
    expect(await service.exit).toBe(1);
    expect(service.output).toContain('The settings are invalid:\n');
    const missing = 'DATABASE_URL JWT_PRIVATE_KEY SECRETS_KEYS SMTP_URL MAIL_FROM BASE_URL FRONTEND_URL';
    for (const name of missing.split(' ')) expect(service.output).toContain(`- ${name} is required`);
  });

  it('starts with settings only, and on SIGTERM becomes unready, finishes open requests and exits', async () => {
    const service = await ServiceProcess.start(built, env);
    await service.untilReady();
    expect([await service.status('/admin'), await service.status('/app')]).toEqual([
      existsSync(join(built, 'pages', 'admin')) ? 200 : 404,
      404,
    ]);
    const open = await service.beginLogin();
    service.child.kill('SIGTERM');
    await eventually(async () => (await service.status('/api/v1/health/ready')) === 503 || undefined, 'no readiness');
    expect(service.child.exitCode).toBeNull();
    expect(await open.finish()).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
    expect(await service.exit).toBe(0);
    const lines = service.output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string });
    expect(lines.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['service.started', 'service.stopping', 'request.completed', 'service.stopped']),
    );
  });

  it('continues to take requests for SHUTDOWN_DELAY_SECONDS after SIGTERM, while it is not ready', async () => {
    const service = await ServiceProcess.start(built, { ...env, SHUTDOWN_DELAY_SECONDS: '2' });
    await service.untilReady();
    const start = performance.now();
    service.child.kill('SIGTERM');
    await eventually(async () => (await service.status('/api/v1/health/ready')) === 503 || undefined, 'no readiness');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const begun = await service.beginLogin(); // on a new connection
    expect(await service.status('/api/v1/health/live')).toBe(200);
    expect(await begun.finish()).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
    expect(await service.exit).toBe(0);
    expect(performance.now() - start).toBeGreaterThan(2000);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'does not wait any longer after a second signal (%s)',
    async (second) => {
      const service = await ServiceProcess.start(built, { ...env, SHUTDOWN_DELAY_SECONDS: '60' });
      await service.untilReady();
      service.child.kill('SIGTERM');
      await new Promise((resolve) => setTimeout(resolve, 1000));
      expect(await service.status('/api/v1/health/live')).toBe(200);
      const start = performance.now();
      service.child.kill(second);
      expect(await service.exit).toBe(0);
      expect(performance.now() - start).toBeLessThan(5000);
    },
    30_000,
  );

  it('does not wait when it only runs jobs', async () => {
    const service = await ServiceProcess.start(built, { ...env, SHUTDOWN_DELAY_SECONDS: '60', WORKER: 'only' });
    await service.untilReady();
    const start = performance.now();
    service.child.kill('SIGTERM');
    expect(await service.exit).toBe(0);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('exits immediately on SIGTERM if only idle connections are open', async () => {
    const service = await ServiceProcess.start(built, env);
    await service.untilReady();
    const silent = connect(service.port, '127.0.0.1').on('error', () => undefined);
    await new Promise((resolve) => silent.once('connect', resolve));
    const start = performance.now();
    service.child.kill('SIGTERM');
    expect(await service.exit).toBe(0);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('logs its security settings in one line at the start', async () => {
    const service = await ServiceProcess.start(built, env);
    await service.untilReady();
    service.child.kill('SIGTERM');
    expect(await service.exit).toBe(0);
    const lines = service.output.split('\n').filter((line) => line.includes('"event":"security.posture_checked"'));
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({
        level: 'warn',
        databaseRoles: 'two',
        https: true,
        sharedLimits: false,
        warnings: ['SMTP_URL', 'REDIS_URL', 'MAIL_LINKS'].map((name) => expect.stringContaining(name) as string),
      }),
    ]);
  });

  it('sends emails by the templates of the build, and has no gallery of them', async () => {
    const mailbox = new Mailbox();
    await mailbox.start();
    const service = await ServiceProcess.start(built, { ...env, SMTP_URL: mailbox.smtpUrl });
    await service.untilReady();
    const response = await fetch(`http://127.0.0.1:${service.port}/api/v1/auth/register`, {
      method: 'POST',
      body: JSON.stringify({ email: 'ada@example.com', password: 'four wheels and a crank', name: 'Ada' }),
      headers: { 'Content-Type': 'application/json' },
    });
    expect([response.status, await service.status('/mails')]).toEqual([201, 404]);
    const { html, text } = await mailbox.titled('ada@example.com', 'Verify your email address');
    expect(html).toContain('Verify email address</a>');
    expect(text).toMatch(/^Hello,\n\nAn account was created with your email address\./);
    service.child.kill('SIGTERM');
    expect(await service.exit).toBe(0);
    await mailbox.stop();
  });

  it('has the billing command, which asks for a key of Stripe', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(built, 'src', 'publish-catalogue.js'), 'plan'], {
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('PROCESSOR_SECRET_KEY is required')]);
  });

  it('has the command that counts sealed values, which finds all entities', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(built, 'src', 'rotate-secrets.js')], {
      env: { PATH: process.env.PATH, DATABASE_URL: database.url, SECRETS_KEYS: env.SECRETS_KEYS },
      encoding: 'utf8',
    });
    expect([status, stderr, stdout]).toEqual([0, '', expect.stringMatching(/^k1 +0\n/)]);
  });

  describe('The doctor command', () => {
    const doctor = (variables: NodeJS.ProcessEnv) => {
      const { status, stdout } = spawnSync(process.execPath, [join(built, 'src', 'doctor.js')], {
        env: { PATH: process.env.PATH, ...env, ...variables },
        encoding: 'utf8',
      });
      return { status, lines: stdout.trim().split('\n') };
    };

    it('accepts two database roles, and warns about settings that could be better', () => {
      const { status, lines } = doctor({});
      expect(status).toBe(0);
      for (const line of [
        'the settings are valid',
        'all migrations are applied',
        'the role of DATABASE_URL cannot create tables',
      ])
        expect(lines).toContain(`pass  ${line}`);
      expect(lines).toContain('pass  the role of DATABASE_URL can only append to the audit log');
      expect(lines).toContainEqual(expect.stringMatching(/^warn {2}REDIS_URL is not set/));
    });

    it('accepts DATABASE_DIRECT_URL only if it is the database of DATABASE_URL with the same role', async () => {
      const other = await TestDatabase.create();
      const said = (DATABASE_DIRECT_URL: string) => {
        const { status, lines } = doctor({ DATABASE_DIRECT_URL });
        return [status, ...lines.filter((line) => line.includes('DATABASE_DIRECT_URL'))];
      };
      const place = 'the database and role of DATABASE_URL';
      expect(said(`${database.url}?application_name=x`)).toEqual([0, `pass  DATABASE_DIRECT_URL reaches ${place}`]);
      for (const url of [other.url, database.urls.owner])
        expect(said(url)).toEqual([1, `fail  DATABASE_DIRECT_URL does not reach ${place}`]);
      expect(said('postgres://tenantry:pw@127.0.0.1:1/none')).toEqual([
        1,
        expect.stringMatching(/^fail {2}DATABASE_DIRECT_URL cannot be compared: /),
      ]);
      await other.drop();
    });

    it('warns about a single database role', () => {
      const { status, lines } = doctor({ DATABASE_URL: database.urls.owner });
      expect([
        status,
        lines.filter((line) => /^warn .*(owns tables|can create tables|audit log)/.test(line)).length,
      ]).toEqual([0, 3]);
    });

    it('fails for invalid settings, an unreachable or unmigrated database, and a role without grants', async () => {
      const empty = await TestDatabase.create('template0');
      const ungranted = await TestDatabase.create();
      await ungranted.query(`REVOKE ALL ON migrations FROM ${SERVICE_ROLE}`);
      expect(doctor({ BASE_URL: '' })).toEqual({
        status: 1,
        lines: [expect.stringContaining('fail  BASE_URL is required in production')],
      });
      for (const [DATABASE_URL, line] of [
        ['postgres://tenantry:pw@127.0.0.1:1/none', /^fail {2}the database cannot be used/],
        [empty.url, /^fail {2}\d+ migrations are missing/],
        [ungranted.url, /^fail {2}the role of DATABASE_URL lacks grants: npm run migrate/],
        [database.url.replace('tenantry:', 'postgres:'), /^fail {2}.* bypasses row-level security/],
      ] as const) {
        const { status, lines } = doctor({ DATABASE_URL });
        expect([status, lines.some((said) => line.test(said))]).toEqual([1, true]);
      }
      await ungranted.drop();
      await empty.drop();
    });
  });

  describe('The admin command', () => {
    const command = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(built, 'src', 'set-admin.js'), ...args], {
        env: { PATH: process.env.PATH, DATABASE_URL: database.url },
        encoding: 'utf8',
      });
      return { status, said: stdout + stderr };
    };
    const admins = async () =>
      (await database.query<{ email: string }>('SELECT email FROM users WHERE is_admin')).map(({ email }) => email);
    const written = () =>
      database.query(`SELECT action, actor_id AS "actorId" FROM audit_log WHERE target_type = 'user' ORDER BY id`);

    it('grants and revokes admin access once, ignores the case of the email, and records both', async () => {
      const insert = `INSERT INTO users (id, email, name, is_email_verified, created_at)
        VALUES (gen_random_uuid(), $1, 'A', $2, now())`;
      await database.query(insert, ['boss@example.com', true]);
      await database.query(insert, ['new@example.com', false]);
      for (let i = 0; i < 2; i++)
        expect(command('grant', ' BOSS@example.com')).toMatchObject({
          status: 0,
          said: expect.stringContaining('boss@example.com gets admin access'),
        });
      expect(command('grant', 'new@example.com')).toEqual({
        status: 1,
        said: expect.stringContaining('new@example.com is not verified'),
      });
      expect(await admins()).toEqual(['boss@example.com']);
      for (let i = 0; i < 2; i++)
        expect(command('revoke', 'boss@example.com')).toMatchObject({
          status: 0,
          said: expect.stringContaining('boss@example.com loses admin access'),
        });
      expect(await admins()).toEqual([]);
      expect(await written()).toEqual(
        ['granted', 'revoked'].map((what) => ({ action: `user.admin-${what}`, actorId: null })),
      );
    });

    it.each([
      ['an unknown email', ['grant', 'nobody@example.com'], 'There is no account with the address nobody@example.com.'],
      ['missing arguments', [], 'Usage: npm run admin -- grant|revoke <email>'],
      ['an unknown action', ['make', 'boss@example.com'], 'Usage'],
    ])('rejects %s', (_what, args, said) => {
      expect(command(...args)).toEqual({ status: 1, said: expect.stringContaining(said) });
    });
  });
});
