import { takeFragment, type BrowserWindow } from '../../client/src/redirect-fragment';

describe('takeFragment', () => {
  const windowAt = (address: string) => {
    const { hash, pathname, search } = new URL(address);
    const replaced: unknown[] = [];
    const fakeWindow: BrowserWindow = {
      location: { hash, pathname, search },
      history: { state: { key: 'kept' }, replaceState: (...now) => replaced.push(now) },
    };
    return { fakeWindow, replaced };
  };

  it('returns the tokens with their lifetime and removes them from the address and the history', () => {
    const { fakeWindow, replaced } = windowAt(
      'https://app.test/welcome?from=mail#accessToken=a.b.c&refreshToken=r&expiresIn=900',
    );
    expect(takeFragment(fakeWindow)).toEqual({ accessToken: 'a.b.c', refreshToken: 'r', expiresIn: 900 });
    expect(replaced).toEqual([[{ key: 'kept' }, '', '/welcome?from=mail']]);
    const cookieOnly = windowAt('https://app.test/#accessToken=a.b.c&expiresIn=900');
    expect(takeFragment(cookieOnly.fakeWindow)).toEqual({ accessToken: 'a.b.c', expiresIn: 900 });
    expect(cookieOnly.replaced).toHaveLength(1);
  });

  it('returns the ticket of a sign-in that needs a second factor, in the form of the JSON response', () => {
    const { fakeWindow, replaced } = windowAt(
      'https://app.test/#secondFactorTicket=t-1_x&methods=totp%2Crecovery-code&expiresIn=300',
    );
    expect(takeFragment(fakeWindow)).toEqual({
      secondFactor: { ticket: 't-1_x', methods: ['totp', 'recovery-code'], expiresIn: 300 },
    });
    expect(replaced).toHaveLength(1);
    const cut = windowAt('https://app.test/#secondFactorTicket=t-1_x').fakeWindow;
    expect(takeFragment(cut)).toEqual({ secondFactor: { ticket: 't-1_x', methods: [], expiresIn: 0 } });
  });

  it('returns an error, or the token of a mailed link', () => {
    expect(takeFragment(windowAt('https://app.test/#error=PROVIDER_DENIED').fakeWindow)).toEqual({
      error: 'PROVIDER_DENIED',
    });
    expect(takeFragment(windowAt('https://app.test/invitation#token=t-1_x').fakeWindow)).toEqual({ token: 't-1_x' });
  });

  it('leaves any other fragment unchanged', () => {
    const { fakeWindow, replaced } = windowAt('https://app.test/help#chapter-2');
    expect(takeFragment(fakeWindow)).toEqual({});
    expect(replaced).toEqual([]);
  });
});
