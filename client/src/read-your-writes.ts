/** Of a response: the position of a write. Of a request: the position that must be visible. */
const READ_AFTER = 'X-Read-After';

/** The form of a position: two hexadecimal halves, `16/B374D848`. */
const FORM = /^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/;

/**
 * Sends requests so that a GET shows what this client has written before. A service with a read
 * replica says in the response to a write how far the replica must be, and the client repeats it
 * with each GET.
 */
export function readYourWrites(send: typeof fetch): typeof fetch {
  let latest: string | undefined;
  return async (input, init) => {
    const request = input instanceof Request && init === undefined ? input : new Request(input, init);
    if (request.method === 'GET' && latest !== undefined) request.headers.set(READ_AFTER, latest);
    const response = await send(request);
    const position = response.headers.get(READ_AFTER) ?? '';
    if (FORM.test(position) && (latest === undefined || valueOf(position) > valueOf(latest))) latest = position;
    return response;
  };
}

function valueOf(position: string): bigint {
  const [high, low] = position.split('/').map((half) => BigInt(`0x${half}`));
  return (high << 32n) + low;
}
