import { NotFoundException } from '@nestjs/common';
import type { Express, NextFunction, RequestHandler } from 'express';

/** What Express' types leave out of a route. */
interface Route {
  readonly path: string;
  /** By lower-case name. */
  readonly methods: Readonly<Record<string, boolean>>;
  readonly dispatch: RequestHandler;
  _handlesMethod(method: string): boolean;
}

/** The same of a layer of the router: middleware, or a route. */
interface Layer {
  readonly handle: unknown;
  readonly route?: Route;
  match(path: string): unknown;
}

/** Characters of a path that stand for others (path-to-regexp). */
const PARAMETER = /[:*{]/;
/** Methods that are left to the router: it derives HEAD and OPTIONS from others. */
const DERIVED = ['head', 'options', '_all'];

/**
 * Takes a request with exactly the method and path of a route to it. The router itself tries the
 * patterns of all routes in turn (docs/decisions/0062-lookups-by-key.md). It still serves paths
 * with parameters, HEAD, OPTIONS and trailing slashes. Add it after all other middleware; the
 * routes are read at the first request.
 */
export function dispatchExactRoutes(app: Express): RequestHandler {
  let routes: ReadonlyMap<string, readonly Route[]> | undefined;
  const dispatch: RequestHandler = (request, response, next) => {
    const found = (routes ??= exactRoutesOf(app, dispatch)).get(`${request.method} ${request.path}`);
    if (!found) return next();
    let passed = 0;
    const following: NextFunction = (error?: unknown) => {
      if (error) return next(error);
      if (passed < found.length) return found[passed++].dispatch(request, response, following);
      next(new NotFoundException(`Cannot ${request.method} ${request.path}`)); // as the router's end does
    };
    following();
  };
  return dispatch;
}

/**
 * What the router would run, by method and path: a route without parameters, and before it the
 * middleware that NestJS has added as routes of the same path. A path that anything else takes as
 * well is left out.
 */
function exactRoutesOf(app: Express, dispatch: RequestHandler): ReadonlyMap<string, readonly Route[]> {
  const stack = app.router.stack as unknown as Layer[];
  const end = stack.findLastIndex(({ route }) => route) + 1; // NestJS' handlers of the rest follow
  const layers = stack.slice(stack.findIndex(({ handle }) => handle === dispatch) + 1, end);
  return new Map(
    keysOf(layers).flatMap(({ method, path }) => {
      const taking = layers.filter((layer) => takes(layer, method, path));
      const exact = taking.flatMap(({ route }) => (route?.path === path ? [route] : []));
      return exact.length === taking.length ? [[`${method} ${path}`, exact] as const] : [];
    }),
  );
}

/** The methods and paths of the routes without parameters. */
function keysOf(layers: readonly Layer[]) {
  const routes = layers.flatMap(({ route }) => (route && !PARAMETER.test(route.path) ? [route] : []));
  return routes.flatMap(({ path, methods }) =>
    Object.keys(methods).flatMap((name) => (DERIVED.includes(name) ? [] : [{ method: name.toUpperCase(), path }])),
  );
}

const takes = (layer: Layer, method: string, path: string): boolean =>
  (!layer.route || layer.route._handlesMethod(method)) && Boolean(layer.match(path));
