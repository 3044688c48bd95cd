/** The error code in the body of a response; undefined without one. The response stays readable. */
export async function responseCode(response: Response): Promise<string | undefined> {
  const read = response.clone().json() as Promise<{ error?: { code?: string } } | null>;
  const body = await read.catch(() => null);
  return body?.error?.code;
}
