import { DEMO_PASSWORD } from '../../dev/demo-users';
import { enrol } from './authenticator-codes';
import { BrowserUser, saveScreenshot, type Page } from './browser-user';
import { complaintsAboutLooks } from './page-looks';
import { LocalMode } from './local-mode';
import { PanelOperator } from './panel-operator';
import { sequentialSteps } from './sequential-steps';

const REASON = 'Ticket 4713: phone lost, identity checked by video call';
const OLGA = 'owner@example.com';
const MIA = 'member@example.com';

/** Sequential steps of one scenario. */
describe('two operators who reset a lost second factor', () => {
  let operator: PanelOperator;
  let alma: Page;
  let olga: BrowserUser;
  let link: string;
  const step = sequentialSteps();
  beforeAll(async () => {
    operator = await PanelOperator.start(LocalMode.shared());
    ({ page: alma } = operator);
    olga = await BrowserUser.open(operator.browser);
    await operator.local.query('UPDATE users SET is_admin = true WHERE email = $1', [OLGA]);
    const { accessToken } = await operator.local.call('POST', '/auth/login', { email: MIA, password: DEMO_PASSWORD });
    await enrol(operator.local, accessToken);
    await alma.goto(operator.panel('/users'));
    await operator.signIn('admin@example.com');
    await alma.getByRole('link', { name: 'Mia Member' }).click();
    await alma.getByRole('heading', { name: 'Mia Member' }).waitFor();
  });
  afterAll(() => operator.stop());
  afterEach(() => expect([...operator.alma.errors, ...olga.errors]).toEqual([]));

  const dialog = (at: Page) => at.getByRole('dialog');
  const button = (at: Page, name: string) => at.getByRole('button', { name, exact: true });
  const see = (at: Page, text: string | RegExp) => at.getByText(text).first().waitFor();
  const request = async () => {
    await button(alma, 'Reset second factor').click();
    await dialog(alma).getByLabel('Reason').fill(REASON);
    await button(alma, 'Request reset').click();
    await see(alma, 'The reset waits for the approval of another operator.');
    await alma.getByRole('heading', { name: 'Reset of the second factor' }).waitFor();
  };
  const approve = async () => {
    await olga.page.reload();
    await button(olga.page, 'Approve').first().click();
    await dialog(olga.page).getByText(REASON).waitFor();
    await dialog(olga.page).getByRole('button', { name: 'Approve' }).click();
    await see(olga.page, 'The reset is approved.');
    await olga.page
      .getByRole('row', { name: /Mia Member.*Approved/ })
      .first()
      .waitFor();
  };

  step('requests it on the page of the user, with a reason', async () => {
    await see(alma, 'In use');
    await button(alma, 'Reset second factor').click();
    expect(await dialog(alma).getByRole('button', { name: 'Request reset' }).isDisabled()).toBe(true);
    expect(await complaintsAboutLooks(alma)).toEqual([]);
    await button(alma, 'Cancel').click();
    await dialog(alma).waitFor({ state: 'detached' });
    await request();
    expect(await button(alma, 'Approve').isDisabled()).toBe(true);
    await see(alma, 'You asked for it. Another operator must approve it.');
    await see(alma, REASON);
    expect(await button(alma, 'Reset second factor').count()).toBe(0);
    expect(await complaintsAboutLooks(alma)).toEqual([]);
    await saveScreenshot(alma, 'operators-reset-requested');
  });

  step('sees it in the list, and cannot approve it alone', async () => {
    await alma.getByRole('link', { name: 'Second factor resets' }).click();
    await alma.getByRole('row', { name: /Mia Member.*Requested/ }).waitFor();
    expect(await button(alma, 'Approve').isDisabled()).toBe(true);
    expect(await complaintsAboutLooks(alma)).toEqual([]);
    await saveScreenshot(alma, 'operators-lost-factors');
  });

  step('is joined by a second operator, who approves it', async () => {
    await olga.page.goto(operator.panel('/factor-resets'));
    await operator.signIn(OLGA, olga.page);
    await olga.page.getByRole('row', { name: /Mia Member.*Requested/ }).waitFor();
    await approve();
    await see(olga.page, 'not before');
    expect(await button(olga.page, 'Approve').count()).toBe(0);
  });

  step('is stopped by the user with the link in the email', async () => {
    link = await operator.local.emailedLink(MIA, 'reset of your second factor was requested');
    const mia = await BrowserUser.open(operator.browser);
    await mia.page.goto(link);
    await mia.page.getByRole('heading', { name: 'Keep your second factor?' }).waitFor();
    expect(await complaintsAboutLooks(mia.page)).toEqual([]);
    await saveScreenshot(mia.page, 'stop-factor-reset');
    await button(mia.page, 'Stop the reset').click();
    await mia.page.getByRole('heading', { name: 'The reset is stopped' }).waitFor();
    await mia.page.goto('about:blank');
    await mia.page.goto(link);
    await button(mia.page, 'Stop the reset').click();
    await mia.page.getByRole('heading', { name: 'Nothing to stop' }).waitFor();
    expect(mia.errors).toEqual([]);
    await olga.page.reload();
    await olga.page.getByRole('row', { name: /Mia Member.*Stopped/ }).waitFor();
  });

  step('requests it again, and cancels it after the approval', async () => {
    await alma.goBack();
    await alma.getByRole('heading', { name: 'Mia Member' }).waitFor();
    await request();
    await approve();
    await alma.reload();
    await see(alma, 'Approved');
    await button(alma, 'Cancel reset').click();
    await dialog(alma).getByRole('button', { name: 'Cancel reset' }).click();
    await see(alma, 'The reset is canceled.');
    await alma.getByRole('heading', { name: 'Reset of the second factor' }).waitFor({ state: 'detached' });
    await button(alma, 'Reset second factor').waitFor();
  });
});
