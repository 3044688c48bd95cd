import express from 'express';
import type { Environment } from './environment';

/** Secure by default in production. */
export function cookieSecure({ COOKIE_SECURE, NODE_ENV }: Environment): boolean {
  return COOKIE_SECURE === undefined ? NODE_ENV === 'production' : COOKIE_SECURE === 'true';
}

/** Where clients reach the service, and where the web client is. */
export function addressesOf({ BASE_URL, FRONTEND_URL, PORT }: Environment): { baseUrl: string; frontendUrl: string } {
  const [baseUrl, frontendUrl] = [BASE_URL ?? `http://localhost:${PORT}`, FRONTEND_URL ?? 'http://localhost:5173'];
  return { baseUrl: baseUrl.replace(/\/+$/, ''), frontendUrl: frontendUrl.replace(/\/+$/, '') };
}

/** The items of a list separated by commas. */
export function listOf(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** As in Express: true, false, a number of hops, or a list of addresses and subnets. */
export function trustProxyOf(value: string): boolean | number | string {
  if (value === 'true' || value === 'false') return value === 'true';
  return /^\d+$/.test(value) ? Number(value) : value;
}

/** Whether Express accepts the value. */
export function isTrustProxy(value: string): boolean {
  try {
    express().set('trust proxy', trustProxyOf(value));
    return true;
  } catch {
    return false;
  }
}
