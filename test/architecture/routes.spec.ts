import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Public } from '../../src/http/access/access.decorators';
import Ajv2020 from 'ajv/dist/2020';
import { TestApp } from '../support/app';
import type { Schema } from '../../dev/api-document-model';
import { exampleOf, undescribed } from '../support/schema-examples';

@ApiExcludeController()
@Controller('silent')
class SilentController {
  @Get('said') @Public() said() {
    return null;
  }
  @Get('unsaid') unsaid() {
    return null;
  }
}

/** The lists that operators can export. */
const EXPORTED = ['users', 'tenants', 'audit-log', 'webhook-events', 'jobs'];

describe('routes', () => {
  it('without declared access prevent the start', async () => {
    await expect(TestApp.start({ controllers: [SilentController], env: { WORKER: 'off' } })).rejects.toThrow(
      'These routes do not declare who may use them: SilentController.unsaid',
    );
  });

  describe('have an API document that', () => {
    interface Media {
      schema: Schema;
      example?: unknown;
      examples?: Record<string, { value: unknown }>;
    }
    interface Response {
      content?: Record<string, Media>;
      description: string;
    }
    interface Operation {
      summary?: string;
      description?: string;
      operationId: string;
      responses: Record<string, Response | { $ref: string }>;
      security?: object[];
      requestBody?: Pick<Response, 'content'>;
      'x-live-session'?: true;
      'x-fresh-minutes'?: number;
    }
    let document: {
      webhooks: object;
      paths: Record<string, Record<string, Operation>>;
      components: { responses: Record<string, Response>; schemas: Record<string, Schema> };
    };
    const resolve = (response: Response | { $ref: string }) =>
      '$ref' in response ? document.components.responses[response.$ref.split('/').at(-1)!] : response;
    const operations = () =>
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
      );
    const problemsIn = async (source: object) => {
      const config = await createConfig({
        extends: ['recommended'],
        rules: {
          'no-server-example.com': 'off', // the server of this test is localhost
          'operation-4xx-response': 'error',
          'operation-2xx-response': 'off', // sign-in with a provider only redirects
        },
      });
      return (await lintFromString({ source: JSON.stringify(source), config })).map(
        ({ message, location }) => `${message} ${location[0]?.pointer ?? ''}`,
      );
    };

    beforeAll(async () => {
      const t = await TestApp.start({ env: { WORKER: 'off' } });
      document = (await t.http.get('/openapi.json').expect(200)).body;
      await t.close();
    });

    it('passes the linter', async () => {
      expect(await problemsIn(document)).toEqual([]);
    });

    it('would not pass the linter with a mistake', async () => {
      const broken = structuredClone(document);
      Object.values(broken.paths['/api/v1/auth/me'])[0].responses['200'] = {
        description: 'Success',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Nobody' } } },
      };
      expect(await problemsIn(broken)).not.toEqual([]);
    });

    it('has each operation once, with a summary and the envelope of every response', () => {
      const ids = operations().map(({ operation }) => operation.operationId);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { name, operation } of operations()) {
        expect([name, operation.summary]).toEqual([name, expect.any(String)]);
        for (const [status, response] of Object.entries(operation.responses)) {
          const answer = resolve(response);
          const { content = {} } = answer;
          const isFile =
            'text/csv' in content ||
            'image/webp' in content ||
            `${name} ${status}` === 'get /api/v1/users/me/export 200';
          const unwrapped = status === '302' || 'text/event-stream' in content || isFile;
          if (!unwrapped)
            expect([name, status, JSON.stringify(answer.content)]).toEqual([
              name,
              status,
              expect.stringContaining('"success"'),
            ]);
        }
        expect(resolve(operation.responses.default)).toMatchObject({
          'x-status-by-code': { RATE_LIMITED: 429, INTERNAL_ERROR: 500, UNAVAILABLE: 503 },
        });
        expect([name, Object.keys(operation.responses).some((status) => /^(20|302)/.test(status))]).toEqual([
          name,
          true,
        ]);
      }
    });

    it('requires a live session for deletions, security changes and exports', () => {
      const others = [
        ...EXPORTED.map((list) => `get /api/v1/admin/${list}/export`),
        'get /api/v1/tenants/current/audit-log/export',
        'get /api/v1/users/me/export',
        'patch /api/v1/tenants/current/audit-streams/{id}',
        'patch /api/v1/tenants/current/webhooks/{id}',
        'post /api/v1/admin/audit-streams/{id}/disable',
        'post /api/v1/admin/factor-resets/{id}/approve',
        'post /api/v1/admin/factor-resets/{id}/cancel',
        'post /api/v1/admin/jobs/delete',
        'post /api/v1/admin/users/{id}/disable',
        'post /api/v1/admin/users/{id}/factors/reset',
        'post /api/v1/admin/users/{id}/impersonate',
        'post /api/v1/admin/webhook-endpoints/{id}/disable',
        'post /api/v1/auth/factors/recovery-codes',
        'post /api/v1/auth/factors/totp',
        'post /api/v1/auth/factors/totp/confirm',
        'post /api/v1/auth/passkeys',
        'post /api/v1/auth/passkeys/options',
        'post /api/v1/auth/password',
        'post /api/v1/auth/step-up',
        'post /api/v1/auth/step-up/email',
        'post /api/v1/auth/switch-tenant',
        'post /api/v1/tenants/current/audit-streams',
        'post /api/v1/tenants/current/audit-streams/{id}/rotate-secret',
        'post /api/v1/tenants/current/keys/{id}/rotate',
        'post /api/v1/tenants/current/orphaned-resources/{id}/take-over',
        'post /api/v1/tenants/current/ownership',
        'post /api/v1/tenants/current/service-accounts/{id}/keys',
        'post /api/v1/tenants/current/webhooks',
        'post /api/v1/tenants/current/webhooks/{id}/rotate-secret',
        'post /api/v1/users/me/email',
        'post /api/v1/users/me/email/confirm',
        'post /api/v1/users/me/deletion',
        'post /api/v1/users/me/tokens',
        'put /api/v1/auth/password',
        'put /api/v1/tenants/current/sign-in-policy',
      ];
      const asking = operations().filter(({ operation }) => operation['x-live-session']);
      const deleting = operations().filter(({ name }) => name.startsWith('delete '));
      expect(deleting.length).toBeGreaterThan(8);
      expect(asking.map(({ name }) => name).sort()).toEqual([...deleting.map(({ name }) => name), ...others].sort());
    });

    it('requires a fresh proof of the identity for what opens a lasting way in or cannot be undone', () => {
      const fresh = operations().filter(({ operation }) => operation['x-fresh-minutes'] === 10);
      expect(fresh.map(({ name }) => name).sort()).toEqual([
        'delete /api/v1/auth/factors/totp',
        'delete /api/v1/auth/passkeys/{id}',
        'delete /api/v1/auth/providers/{provider}',
        'delete /api/v1/tenants/current',
        'delete /api/v1/tenants/current/audit-streams/{id}',
        'delete /api/v1/tenants/current/webhooks/{id}',
        'get /api/v1/users/me/export',
        'patch /api/v1/tenants/current/audit-streams/{id}',
        'patch /api/v1/tenants/current/webhooks/{id}',
        'post /api/v1/admin/factor-resets/{id}/approve',
        'post /api/v1/admin/users/{id}/factors/reset',
        'post /api/v1/admin/users/{id}/impersonate',
        'post /api/v1/auth/factors/recovery-codes',
        'post /api/v1/auth/factors/totp',
        'post /api/v1/auth/factors/totp/confirm',
        'post /api/v1/auth/passkeys',
        'post /api/v1/auth/passkeys/options',
        'post /api/v1/auth/password',
        'post /api/v1/tenants/current/audit-streams',
        'post /api/v1/tenants/current/audit-streams/{id}/rotate-secret',
        'post /api/v1/tenants/current/keys/{id}/rotate',
        'post /api/v1/tenants/current/orphaned-resources/{id}/take-over',
        'post /api/v1/tenants/current/ownership',
        'post /api/v1/tenants/current/service-accounts/{id}/keys',
        'post /api/v1/tenants/current/webhooks',
        'post /api/v1/tenants/current/webhooks/{id}/rotate-secret',
        'post /api/v1/users/me/deletion',
        'post /api/v1/users/me/email',
        'post /api/v1/users/me/tokens',
        'put /api/v1/tenants/current/sign-in-policy',
      ]);
      for (const { operation } of fresh)
        expect(resolve(operation.responses['403']).description).toContain('STEP_UP_REQUIRED');
    });

    it('admits keys to operations that require a permission, but not to these, which are for people', () => {
      const admitsKeys = ({ security = [] }: Operation) => security.some((needed) => 'apiKey' in needed);
      const needsPermission = ({ description = '' }: Operation) => description.startsWith('Requires tenant.');
      const isForPeople = ({ responses }: Operation) =>
        '403' in responses && resolve(responses['403']).description.includes('API_KEY_NOT_ALLOWED');
      const withKeys = operations().filter(({ operation }) => admitsKeys(operation));
      expect(withKeys.length).toBeGreaterThan(25);
      expect(withKeys.filter(({ operation }) => !needsPermission(operation) || isForPeople(operation))).toEqual([]);
      const permitted = operations().filter(({ operation }) => needsPermission(operation) && !admitsKeys(operation));
      expect(permitted.map(({ name }) => name).sort()).toEqual([
        'delete /api/v1/tenants/current/audit-streams/{id}',
        'delete /api/v1/tenants/current/webhooks/{id}',
        'get /api/v1/tenants/current/orphaned-resources',
        'patch /api/v1/tenants/current/audit-streams/{id}',
        'patch /api/v1/tenants/current/webhooks/{id}',
        'post /api/v1/billing/cancel',
        'post /api/v1/billing/change',
        'post /api/v1/billing/checkout',
        'post /api/v1/billing/portal',
        'post /api/v1/billing/resume',
        'post /api/v1/tenants/current/audit-streams',
        'post /api/v1/tenants/current/audit-streams/{id}/rotate-secret',
        'post /api/v1/tenants/current/invitations',
        'post /api/v1/tenants/current/invitations/{id}/resend',
        'post /api/v1/tenants/current/keys/{id}/rotate',
        'post /api/v1/tenants/current/orphaned-resources/{id}/take-over',
        'post /api/v1/tenants/current/service-accounts/{id}/keys',
        'post /api/v1/tenants/current/webhooks',
        'post /api/v1/tenants/current/webhooks/{id}/rotate-secret',
        'put /api/v1/tenants/current/sign-in-policy',
      ]);
      const others = operations().filter(({ operation }) => operation.security === undefined);
      expect(others.length).toBeGreaterThan(80);
      expect(others.filter(({ operation }) => !isForPeople(operation))).toEqual([]);
    });

    it('names the error codes of an operation', () => {
      const { responses } = document.paths['/api/v1/auth/refresh'].post;
      expect(resolve(responses['401']).description).toBe('INVALID_TOKEN, TOKEN_EXPIRED, TOKEN_REUSE_DETECTED');
      expect(resolve(responses['403']).description).toBe('ACCOUNT_DISABLED');
      expect(Object.keys(responses).sort()).toEqual(['200', '400', '401', '403', 'default']);
      expect(resolve(responses.default)).toMatchObject({
        description:
          'PAYLOAD_TOO_LARGE (413), UNSUPPORTED_MEDIA_TYPE (415), RATE_LIMITED (429), ' +
          'INTERNAL_ERROR (500), UNAVAILABLE (503), OUTCOME_UNKNOWN (503)',
      });
    });

    it('has operation ids without indices', () => {
      const ids = operations().map(({ operation }) => operation.operationId);
      expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)*$/.test(id))).toEqual([]);
      expect(ids).toEqual(expect.arrayContaining(['receiveStripeEvent', 'receiveProcessorEvent']));
    });

    it('has a description or an example of each property', () => {
      expect(undescribed(document.components.schemas)).toEqual([]);
    });

    it('would be rejected if a property had neither', () => {
      const schemas = { ...document.components.schemas, Bare: { properties: { color: { type: 'string' } } } };
      expect(undescribed(schemas)).toEqual(['Bare.color']);
    });

    it('has examples of properties that form an example of each request body and response', () => {
      const { schemas, responses } = document.components;
      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      const bodies = operations().flatMap(({ name, operation }) =>
        operation.requestBody ? [[name, operation.requestBody] as const] : [],
      );
      const media = [...bodies, ...Object.entries(responses)].flatMap(([name, { content }]) => {
        const json = content?.['application/json'];
        return json ? [{ name, ...json }] : [];
      });
      expect(media.length).toBeGreaterThan(100);
      for (const { name, schema, example, examples } of media) {
        const validate = ajv.compile({ ...schema, components: { schemas } });
        const values = example ?? examples?.[Object.keys(examples)[0]].value ?? exampleOf(schema, schemas);
        expect([name, validate(values), ajv.errorsText(validate.errors)]).toEqual([name, true, 'No errors']);
      }
    });

    it('is at most 1.92 kB long per operation and webhook', () => {
      const described = { ...document, 'x-audit-actions': undefined }; // a list of the events, not of operations
      const count = operations().length + Object.keys(document.webhooks).length;
      expect(JSON.stringify(described).length).toBeLessThanOrEqual(1920 * count);
    });
  });
});
