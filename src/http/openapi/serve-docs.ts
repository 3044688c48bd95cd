import type { INestApplication } from '@nestjs/common';
import { SwaggerModule } from '@nestjs/swagger';
import type { Settings } from '../../config/settings';
import { openApiDocument } from './openapi-document';

/**
 * Serves the API document at /openapi.json, and a page to read and try it at /docs. The document is
 * created for the first of these requests and kept: most processes never serve it.
 */
export function serveDocs(app: INestApplication, settings: Settings): void {
  SwaggerModule.setup('docs', app, () => openApiDocument(app, settings), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'], // the page in YAML would be written again for each request
    customSiteTitle: 'Tenantry API',
    swaggerOptions: {
      deepLinking: true, // pages link to the operations of a topic, such as /docs#/audit-streams
      docExpansion: 'none',
      defaultModelsExpandDepth: 0,
      filter: true,
      displayRequestDuration: true,
    },
  });
}
