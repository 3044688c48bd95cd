/** The largest value of a column of the type `integer`. */
export const MAX_INTEGER = 2_147_483_647;

/** The schema of a count, a duration or a limit in a view: PostgreSQL returns it as `integer`. */
export const COUNT = { type: 'integer', minimum: 0, maximum: MAX_INTEGER } as const;
