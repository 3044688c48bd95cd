/** The code of an error response. */
export const codeOf = (response: { body: { error: { code: string } } }) => response.body.error.code;
