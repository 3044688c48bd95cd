import { cookieIn } from './cookie-parser';

const read = (cookie: string | undefined) => cookieIn({ headers: { cookie } }, 'device');

describe('A cookie of a request', () => {
  it('is read by name', () => {
    expect(read('a=1; device=x%20y; devices=2')).toBe('x y');
  });

  it('is undefined when it is missing', () => {
    expect(read(undefined)).toBeUndefined();
    expect(read('devices=2; my-device=3')).toBeUndefined();
  });

  it('is ignored when its name is given twice', () => {
    expect(read('device=theirs; device=ours')).toBeUndefined();
    expect(read('device=theirs;  device = ours')).toBeUndefined();
  });
});
