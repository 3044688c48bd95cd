/** Where local mode of a test gets new demo data by POST. */
export const RENEWAL_PATH = '/demo-data';
