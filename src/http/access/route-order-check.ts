import type { INestApplication } from '@nestjs/common';
import { routesOf, type Route } from './route-access-check';

/**
 * Requires that no route is unreachable because an earlier one takes all of its requests, for
 * example `GET projects/count` declared after `GET projects/:id`.
 * @throws at start, naming both routes
 */
export function refuseShadowedRoutes(app: INestApplication): void {
  const shadowed = shadowedRoutes(routesOf(app));
  if (shadowed.length > 0) throw new Error(shadowed.join('\n'));
}

/** One sentence for each route that an earlier one shadows. */
export function shadowedRoutes(routes: readonly Route[]): string[] {
  const declared = routes.flatMap(({ name, method, paths }) => paths.map((path) => ({ name, method, path })));
  return declared.flatMap((route, index) => {
    const earlier = declared
      .slice(0, index)
      .find(({ method, path }) => [route.method, 'ALL'].includes(method) && answersAllOf(path, route.path));
    return earlier
      ? [
          `${route.method} ${route.path} (${route.name}) is never reached, because ${earlier.method} ${earlier.path} ` +
            `(${earlier.name}) comes first. Declare it before that one.`,
        ]
      : [];
  });
}

/** Whether a path pattern matches every path of another one. */
function answersAllOf(pattern: string, path: string): boolean {
  const [segments, others] = [pattern.split('/'), path.split('/')];
  const rest = segments.findIndex((segment) => segment.startsWith('*'));
  const compared = rest === -1 ? segments : segments.slice(0, rest);
  return (
    (rest === -1 ? others.length === segments.length : others.length > rest) &&
    compared.every((segment, index) => segment === others[index] || segment.startsWith(':'))
  );
}
