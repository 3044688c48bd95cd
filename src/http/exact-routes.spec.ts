import express, { type Express, type Request, type Response } from 'express';
import request from 'supertest';
import { dispatchExactRoutes } from './exact-routes';

describe('a request to a route without parameters', () => {
  let app: Express;
  /** Paths of the requests that the router has searched a route for. */
  let searched: string[];

  const answer = (name: string) => (req: Request, response: Response) => {
    response.json({ name, path: (req.route as { path: string }).path, params: req.params });
  };
  const bodyOf = async (path: string) => (await request(app).get(path)).body as unknown;

  /** Observes the first pattern that a search would try, once the routes have been read. */
  const observeSearches = async () => {
    await bodyOf('/items');
    const first = app.router.stack[1] as unknown as { match(path: string): unknown };
    const match = first.match.bind(first);
    first.match = (path) => {
      searched.push(path);
      return match(path);
    };
  };

  beforeEach(() => {
    searched = [];
    app = express().enable('case sensitive routing');
    app.use(dispatchExactRoutes(app));
    app.get('/items', answer('list')).post('/items', answer('add'));
    app.get('/items/:id', answer('one')).get('/sums/count', answer('count'));
    app.get('/fails', () => {
      throw new Error('failed');
    });
  });

  it('goes to it without a search, whatever its query', async () => {
    await observeSearches();
    expect(await bodyOf('/sums/count?a=b')).toEqual({ name: 'count', path: '/sums/count', params: {} });
    expect(await bodyOf('/items')).toMatchObject({ name: 'list' });
    const added = await request(app).post('/items');
    expect(added.body).toMatchObject({ name: 'add', path: '/items' });
    expect(searched).toEqual([]);
  });

  it('passes the middleware that is a route of the same path before it', async () => {
    const marks: string[] = [];
    const mark = (name: string) => (_request: Request, _response: Response, next: () => void) => {
      marks.push(name);
      next();
    };
    app.post('/marked', mark('first'), mark('second')).post('/marked', mark('third')).post('/marked', answer('marked'));
    await observeSearches();
    expect((await request(app).post('/marked')).body).toMatchObject({ name: 'marked' });
    expect(marks).toEqual(['first', 'second', 'third']);
    expect(searched).toEqual([]);
  });

  it('is served by the router if middleware or a route with parameters takes it too', async () => {
    app.get('/things/:id', answer('one')).get('/things/count', answer('count'));
    app.get('/others/special', (_request, _response, next) => next()).get('/others/:id', answer('other'));
    app.use('/wrapped', (_request, response) => {
      response.json({ name: 'middleware' });
    });
    app.get('/wrapped/route', answer('route'));
    await observeSearches();
    expect(await bodyOf('/things/count')).toMatchObject({ name: 'one', params: { id: 'count' } });
    expect(await bodyOf('/wrapped/route')).toEqual({ name: 'middleware' });
    expect(await bodyOf('/others/special')).toMatchObject({ name: 'other', params: { id: 'special' } });
    expect(searched).toEqual(['/things/count', '/wrapped/route', '/others/special']);
  });

  it('passes on what a handler of all methods before it does', async () => {
    app
      .route('/guarded')
      .all((_request, response) => {
        response.status(403).json({ name: 'guard' });
      })
      .get(answer('unreachable'));
    app.get('/guarded', answer('guarded')).post('/guarded', answer('guarded'));
    await observeSearches();
    for (const method of ['get', 'post', 'head'] as const)
      expect((await request(app)[method]('/guarded')).status).toBe(403);
    expect(searched).toEqual(['/guarded']); // HEAD
  });

  it('goes on if its middleware passes a value that is no error', async () => {
    app.get('/null', (_request, _response, next) => next(null)).get('/null', answer('null'));
    expect(await bodyOf('/null')).toMatchObject({ name: 'null' });
  });

  it('is not run twice if its handler passes the request on', async () => {
    let runs = 0;
    app.get('/passed', (_request, _response, next) => {
      runs++;
      next();
    });
    expect((await request(app).get('/passed')).status).toBe(404);
    expect(runs).toBe(1);
  });

  it('is served by the router if it is of another form', async () => {
    await observeSearches();
    expect(await bodyOf('/items/7')).toEqual({ name: 'one', path: '/items/:id', params: { id: '7' } });
    expect(await bodyOf('/items/')).toMatchObject({ name: 'list' });
    expect((await request(app).head('/items')).status).toBe(200);
    expect((await request(app).options('/items')).headers.allow).toBe('GET, HEAD, POST');
    expect((await request(app).put('/items')).status).toBe(404);
    expect((await request(app).get('/Items')).status).toBe(404);
    expect(searched).toEqual(['/items/7', '/items/', '/items', '/items', '/items', '/Items']);
  });

  it('reaches the handlers of errors', async () => {
    app.use((error: Error, _request: Request, response: Response, next: () => void) => {
      if (response.headersSent) return next();
      response.status(500).json({ message: error.message });
    });
    expect((await request(app).get('/fails')).body).toEqual({ message: 'failed' });
  });
});
