import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import type { Settings } from '../../config/settings';
import { serveDocs } from './serve-docs';

const document = { openapi: '3.1.0', info: { title: 'Test', version: '1' }, paths: {} };
const mockDescribe = jest.fn(() => document);
jest.mock('./openapi-document', () => ({ openApiDocument: () => mockDescribe() }));

@Module({})
class EmptyModule {}

describe('The API document', () => {
  let app: NestExpressApplication;
  beforeAll(async () => {
    app = await NestFactory.create<NestExpressApplication>(EmptyModule, { logger: false });
    serveDocs(app, {} as Settings);
    await app.init();
  });
  afterAll(() => app.close());

  const ask = (path: string) => supertest(app.getHttpServer()).get(path);

  it('is created for the first request that needs it, and once', async () => {
    expect(mockDescribe).not.toHaveBeenCalled();
    const [one, other] = await Promise.all([ask('/openapi.json'), ask('/openapi.json')]);
    expect([one.body, other.body]).toEqual([document, document]);
    await ask('/docs/swagger-ui-init.js').expect(200);
    expect(mockDescribe).toHaveBeenCalledTimes(1);
  });

  it('is not served as YAML, which would be written again for each request', () => ask('/docs-yaml').expect(404));
});
