/** A text as `npm run format` would leave it. @throws if it is no valid source */
export async function formatSource(file: string, text: string): Promise<string> {
  const prettier = await import('prettier'); // not loaded for a call that is refused
  const { ignored, inferredParser } = await prettier.getFileInfo(file, {
    ignorePath: '.prettierignore',
    resolveConfig: true,
  });
  if (ignored || inferredParser === null) return text;
  return prettier.format(text, { ...(await prettier.resolveConfig(file)), filepath: file });
}
