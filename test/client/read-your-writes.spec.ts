import { createClient, unwrap } from '../../client/src/index';
import { PASSWORD } from '../support/actors';
import { TestApp } from '../support/app';
import { StreamingReplica } from '../support/streaming-replica';

describe('the typed client, with a replica that lags behind', () => {
  it('shows what it has written, which another client does not see yet', async () => {
    const servers = await StreamingReplica.start();
    const t = await TestApp.start({ env: { ...servers.settings, WORKER: 'off' } });
    const { user } = await t.actors.owner();
    const signedIn = async () => {
      const api = createClient({ baseUrl: t.address, session: { keep: 'token' } });
      unwrap(await api.POST('/auth/login', { body: { email: user.email, password: PASSWORD } }));
      return api;
    };
    const [writer, reader] = [await signedIn(), await signedIn()];
    unwrap(await writer.PATCH('/users/me', { body: { name: 'Ada' } }));
    await servers.untilReplayed();
    await servers.pause();
    unwrap(await writer.PATCH('/users/me', { body: { name: 'Grace' } }));
    const nameFor = async (api: typeof writer) => unwrap(await api.GET('/auth/me')).user.name;
    expect([await nameFor(writer), await nameFor(reader)]).toEqual(['Grace', 'Ada']);
    await t.close();
    await servers.stop();
  }, 60_000);
});
