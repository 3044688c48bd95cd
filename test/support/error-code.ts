/** The code of an error response. */
export const codeOf = (answer: { body: { error: { code: string } } }) => answer.body.error.code;
