import { rmSync } from 'node:fs';
import { ownBuild } from './built-service';
import './global-setup';

export default async function tearDown(): Promise<void> {
  const server = globalThis.testServer && (await globalThis.testServer);
  globalThis.testServer = undefined;
  if (!server) return;
  await server.pooler?.stop();
  await server.postgres.stop();
  for (const folder of [server.folder, ownBuild(process.pid)]) rmSync(folder, { recursive: true, force: true });
}
