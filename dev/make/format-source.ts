import * as prettier from 'prettier';

/** A text as `npm run format` would leave it. @throws if it is no valid source */
export async function formatSource(file: string, text: string): Promise<string> {
  const { ignored, inferredParser } = await prettier.getFileInfo(file, {
    ignorePath: '.prettierignore',
    resolveConfig: true,
  });
  if (ignored || inferredParser === null) return text;
  return prettier.format(text, { ...(await prettier.resolveConfig(file)), filepath: file });
}
