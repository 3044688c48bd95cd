/** Of a failure: the seconds after which a retry makes sense. */
export const RETRY_AFTER = 'Retry-After' as const;
