import { takeFragment, type Place } from '../../client/src/fragment';

describe('taking what the fragment tells', () => {
  const placeOf = (address: string) => {
    const { hash, pathname, search } = new URL(address);
    const replaced: unknown[] = [];
    const place: Place = {
      location: { hash, pathname, search },
      history: { state: { key: 'kept' }, replaceState: (...now) => void replaced.push(now) },
    };
    return { place, replaced };
  };

  it('gives tokens with their seconds, and removes them at once from the address and the history', () => {
    const { place, replaced } = placeOf(
      'https://app.test/welcome?from=mail#accessToken=a.b.c&refreshToken=r&expiresIn=900',
    );
    expect(takeFragment(place)).toEqual({ accessToken: 'a.b.c', refreshToken: 'r', expiresIn: 900 });
    expect(replaced).toEqual([[{ key: 'kept' }, '', '/welcome?from=mail']]);
    const cookieOnly = placeOf('https://app.test/#accessToken=a.b.c&expiresIn=900');
    expect(takeFragment(cookieOnly.place)).toEqual({ accessToken: 'a.b.c', expiresIn: 900 });
    expect(cookieOnly.replaced).toHaveLength(1);
  });

  it('gives an error, and the token of a mailed link', () => {
    expect(takeFragment(placeOf('https://app.test/#error=PROVIDER_DENIED').place)).toEqual({
      error: 'PROVIDER_DENIED',
    });
    expect(takeFragment(placeOf('https://app.test/invitation#token=t-1_x').place)).toEqual({ token: 't-1_x' });
  });

  it('leaves any other fragment to the page', () => {
    const { place, replaced } = placeOf('https://app.test/help#chapter-2');
    expect(takeFragment(place)).toEqual({});
    expect(replaced).toEqual([]);
  });
});
