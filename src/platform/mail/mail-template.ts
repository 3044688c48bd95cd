import Handlebars from 'handlebars';

/** What a mail says; from it follow its HTML and its text. Plain text: the layout escapes it. */
export interface MailContent {
  readonly subject: string;
  readonly greeting: string;
  readonly paragraphs: readonly string[];
  readonly action?: { readonly label: string; readonly url: string };
  /** Another way, below the first. */
  readonly alternative?: { readonly label: string; readonly url: string };
  /** Small print below: how long the link lives, what to do when one did not ask for it. */
  readonly footnote: string;
}

export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

const HTML = Handlebars.compile(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{{subject}}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f7;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color:#1f2430">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px;line-height:1.5">
<p style="margin-top:0">{{greeting}}</p>
{{#each paragraphs}}<p>{{this}}</p>
{{/each}}{{#with action}}<p style="margin:28px 0"><a href="{{url}}" style="display:inline-block;padding:12px 20px;background:#2f5bea;color:#ffffff;border-radius:8px;text-decoration:none;font-weight:600">{{label}}</a></p>
<p style="font-size:13px;color:#5b6270">If the button does not work, open this address:<br><a href="{{url}}" style="color:#2f5bea;word-break:break-all">{{url}}</a></p>
{{/with}}{{#with alternative}}<p style="font-size:13px;color:#5b6270"><a href="{{url}}" style="color:#2f5bea">{{label}}</a></p>
{{/with}}<p style="margin-bottom:0;font-size:13px;color:#5b6270">{{footnote}}</p>
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
 * To somebody who never signed in no name is said: a stranger may have chosen it (contract section
 * 11).
 */
export const greeting = (name: string | undefined) => (name === undefined ? 'Hello,' : `Hello ${name},`);

/** The one layout of all mails. */
export function renderMail(content: MailContent): RenderedMail {
  return { subject: content.subject, html: HTML(content), text: TEXT(content) };
}
