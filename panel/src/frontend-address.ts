/** The address of the web client, which the service writes into the page. */
export const FRONTEND = document.querySelector<HTMLMetaElement>('meta[name="frontend-url"]')?.content ?? '';
