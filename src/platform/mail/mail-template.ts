import Handlebars from 'handlebars';

/**
 * The content of a mail as plain text. HTML and text parts are rendered from it; the layout escapes
 * it.
 */
export interface MailContent {
  readonly subject: string;
  readonly greeting: string;
  readonly paragraphs: readonly string[];
  readonly action?: { readonly label: string; readonly url: string };
  /** A second link, below the button. */
  readonly alternative?: { readonly label: string; readonly url: string };
  /**
   * Small print: why the mail was sent, how long the link is valid, what to do if it was not
   * requested.
   */
  readonly footnote: string;
}

export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

const STYLES = {
  body: `margin:0;padding:32px 16px;background:#f4f5f7;color:#1f2430;
    font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:16px`,
  brand: 'max-width:520px;margin:0 auto 16px;font-weight:700;font-size:18px;color:#1f2430',
  card: 'max-width:456px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px;line-height:1.5',
  button: `display:inline-block;padding:12px 20px;background:#2f5bea;color:#ffffff;border-radius:8px;
    text-decoration:none;font-weight:600`,
  small: 'font-size:13px;color:#5b6270',
  link: 'color:#2f5bea',
};

const HTML = Handlebars.compile(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light">
<title>{{subject}}</title>
</head>
<body style="${STYLES.body}">
<div style="${STYLES.brand}">Tenantry</div>
<div style="${STYLES.card}">
<p style="margin-top:0">{{greeting}}</p>
{{#each paragraphs}}<p>{{this}}</p>
{{/each}}{{#with action}}<p style="margin:28px 0"><a href="{{url}}" style="${STYLES.button}">{{label}}</a></p>
<p style="${STYLES.small}">If the button does not work, copy this link into your browser:<br>
<a href="{{url}}" style="${STYLES.link};word-break:break-all">{{url}}</a></p>
{{/with}}{{#with alternative}}<p style="${STYLES.small}"><a href="{{url}}" style="${STYLES.link}">{{label}}</a></p>
{{/with}}<hr style="margin:24px 0 16px;border:0;border-top:1px solid #e4e6eb">
<p style="margin-bottom:0;${STYLES.small}">{{footnote}}</p>
</div>
</body>
</html>
`);

const TEXT = Handlebars.compile(
  `{{greeting}}

{{#each paragraphs}}{{this}}

{{/each}}{{#with action}}{{label}}:
{{url}}

{{/with}}{{#with alternative}}{{label}}:
{{url}}

{{/with}}{{footnote}}
`,
  { noEscape: true },
);

/**
 * The greeting. People who have never signed in are not named, because a stranger may have chosen
 * the name (docs/contract.md, Email limits).
 */
export const greeting = (name: string | undefined) => (name === undefined ? 'Hello,' : `Hi ${name},`);

/** Renders a mail in the layout of all mails. */
export function renderMail(content: MailContent): RenderedMail {
  return { subject: content.subject, html: HTML(content), text: TEXT(content) };
}
