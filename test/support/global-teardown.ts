import { rmSync } from 'node:fs';
import './global-setup';

export default async function tearDown(): Promise<void> {
  const server = globalThis.testServer && (await globalThis.testServer);
  globalThis.testServer = undefined;
  if (!server) return;
  await server.postgres.stop();
  rmSync(server.folder, { recursive: true, force: true });
}
