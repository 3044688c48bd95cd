import { RequestMethod, type INestApplication } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import type { Request } from 'express';
import { routesOf } from './route-access-check';

/**
 * Tells the routes that are open to anyone, which declare it. The API has none of them with a
 * parameter in its path.
 */
export class PublicRoutes {
  private keys?: ReadonlySet<string>;

  constructor(
    private readonly app: INestApplication,
    private readonly prefix: string,
  ) {}

  /** Whether a request is for one of them; known once the routes are made. */
  has({ method, path }: Pick<Request, 'method' | 'path'>): boolean {
    this.keys ??= new Set(this.collect());
    return this.keys.has(`${method === 'HEAD' ? 'GET' : method} ${path.replace(/\/$/, '')}`);
  }

  private collect(): string[] {
    return routesOf(this.app)
      .filter(({ access }) => access?.for === 'anyone')
      .flatMap(({ controller, handler }) => {
        const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
        const paths = [controller, handler].map((target) =>
          [Reflect.getMetadata(PATH_METADATA, target) as string | string[]].flat(),
        );
        return paths[0].flatMap((base) =>
          paths[1].map((own) => `${method} ${[this.prefix, base, own].map(trimmed).filter(Boolean).join('')}`),
        );
      });
  }
}

/** With a slash before it, and none behind; nothing for nothing. */
function trimmed(path: string): string {
  const name = path.replace(/^\/|\/$/g, '');
  return name && `/${name}`;
}
