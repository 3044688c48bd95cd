import type { INestApplication } from '@nestjs/common';
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
      .flatMap(({ method, paths }) => paths.map((path) => `${method} /${this.prefix}${path}`));
  }
}
