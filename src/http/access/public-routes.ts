import { RequestMethod, type INestApplication } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import type { Request } from 'express';
import { routesOf } from './route-access-check';

/**
 * Recognizes public routes, as their controllers declare them. None of them has a parameter in its
 * path.
 */
export class PublicRoutes {
  private keys?: ReadonlySet<string>;

  constructor(
    private readonly app: INestApplication,
    private readonly prefix: string,
  ) {}

  /** Whether a request is for a public route; usable once the routes exist. */
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

/** With a leading slash and without a trailing one; empty for an empty path. */
function trimmed(path: string): string {
  const name = path.replace(/^\/|\/$/g, '');
  return name && `/${name}`;
}
