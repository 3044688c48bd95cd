import polyglotI18nProvider from 'ra-i18n-polyglot';
import english from 'ra-language-english';
import { mergeTranslations, type TranslationMessages } from 'react-admin';

/** Texts of react-admin that this panel replaces. */
const WORDS = mergeTranslations(english, {
  ra: { auth: { logout: 'Sign out' }, action: { select_all: 'Select all on this page' } },
}) as TranslationMessages;

export const i18nProvider = polyglotI18nProvider(() => WORDS, 'en', [{ locale: 'en', name: 'English' }], {
  allowMissing: true,
});
