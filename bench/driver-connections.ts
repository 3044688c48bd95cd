/** Connections of the driver, each with one request at a time. Passwords are hashed for 16. */
export const CONNECTIONS = 32;
export const LOGIN_CONNECTIONS = 16;
