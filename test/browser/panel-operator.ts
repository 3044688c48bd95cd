import type { Browser } from 'playwright-core';
import { openBrowser } from '../../dev/chromium';
import { DEMO_PASSWORD } from '../../dev/demo-users';
import { BrowserUser, type Page } from './browser-user';
import type { LocalMode } from './local-mode';

/** Local mode with an operator, Alma, whose browser is open and not signed in. */
export class PanelOperator {
  private constructor(
    readonly local: LocalMode,
    readonly browser: Browser,
    readonly alma: BrowserUser,
  ) {}

  /** @param starting local mode of this file, or the shared one */
  static async start(starting: Promise<LocalMode>): Promise<PanelOperator> {
    const [local, browser] = await Promise.all([starting, openBrowser()]);
    const alma = await BrowserUser.open(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
    return new PanelOperator(local, browser, alma);
  }

  async stop(): Promise<void> {
    await Promise.all([this.browser.close(), this.local.stop()]);
  }

  get page(): Page {
    return this.alma.page;
  }

  /** The address of a page of the panel. */
  panel(path = ''): string {
    return `${this.local.at('Operators’ panel')}${path}`;
  }

  /** Waits until the text is on the page. */
  see(text: string | RegExp): Promise<void> {
    return this.page.getByText(text).first().waitFor();
  }

  press(name: string): Promise<void> {
    return this.page.getByRole('button', { name, exact: true }).click();
  }

  async choose(label: string, option: string): Promise<void> {
    await this.page.getByRole('combobox', { name: label }).click();
    await this.page.getByRole('option', { name: option }).click();
  }

  async signIn(email: string, at = this.page, password = DEMO_PASSWORD): Promise<void> {
    await at.getByLabel('Email').fill(email);
    await at.getByLabel('Password').fill(password);
    await at.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  /** The element with the keyboard focus, and what is selected in it. */
  focused(): Promise<{ name: string; role: string | null; selection: string | undefined }> {
    return this.page.evaluate(() => {
      const { name, value, selectionStart, selectionEnd, role } = document.activeElement as HTMLInputElement;
      return { name, role, selection: value?.slice(selectionStart ?? 0, selectionEnd ?? 0) };
    });
  }
}
