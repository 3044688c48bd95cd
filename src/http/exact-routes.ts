import type { Express, NextFunction, RequestHandler } from 'express';

/** What Express' types leave out of a route. */
interface Route {
  readonly path: string;
  /** By lower-case name. */
  readonly methods: Readonly<Record<string, boolean>>;
  readonly dispatch: RequestHandler;
}

/** The same of a layer of the router: middleware, or a route. */
interface Layer {
  readonly handle: unknown;
  readonly route?: Route;
  match(path: string): unknown;
}

/** Characters of a path that stand for others (path-to-regexp). */
const PARAMETER = /[:*{]/;

/**
 * Takes a request with exactly the method and path of a route to it. The router itself tries the
 * patterns of all routes in turn (docs/decisions/0062-lookups-by-key.md). It still serves paths with
 * parameters, HEAD, OPTIONS and trailing slashes. Add it after all other middleware; the routes are
 * read at the first request.
 */
export function dispatchExactRoutes(app: Express): RequestHandler {
  let routes: ReadonlyMap<string, readonly Route[]> | undefined;
  const dispatch: RequestHandler = (request, response, next) => {
    const found = (routes ??= exactRoutesOf(app, dispatch)).get(`${request.method} ${request.path}`);
    if (!found) return next();
    let passed = 0;
    const following: NextFunction = (error?: unknown) => {
      if (error !== undefined || passed === found.length) return next(error ?? 'router');
      return found[passed++].dispatch(request, response, following);
    };
    following();
  };
  return dispatch;
}

/**
 * What the router would run, by method and path: a route without parameters, and before it the
 * middleware that NestJS has added as routes of the same path.
 */
function exactRoutesOf(app: Express, dispatch: RequestHandler): ReadonlyMap<string, readonly Route[]> {
  const stack = app.router.stack as unknown as Layer[];
  const layers = stack.slice(stack.findIndex(({ handle }) => handle === dispatch) + 1);
  const keys = layers.flatMap(({ route }) =>
    route && !PARAMETER.test(route.path)
      ? Object.keys(route.methods).map((method) => ({ method, path: route.path }))
      : [],
  );
  return new Map(
    keys.flatMap(({ method, path }) => {
      const matching = layers.filter((layer) => takes(layer, method, path));
      const exact = matching.slice(0, matching.findLastIndex(({ route }) => route?.path === path) + 1);
      const routes = exact.flatMap(({ route }) => (route?.path === path ? [route] : []));
      return routes.length === exact.length ? [[`${method.toUpperCase()} ${path}`, routes] as const] : [];
    }),
  );
}

const takes = (layer: Layer, method: string, path: string): boolean =>
  (!layer.route || Boolean(layer.route.methods[method])) && Boolean(layer.match(path));
