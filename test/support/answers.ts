/** The code of a refusal. */
export const codeOf = (answer: { body: { error: { code: string } } }) => answer.body.error.code;
