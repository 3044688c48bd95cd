/**
 * Has the browser save a file.
 * @param response of which the file is the body; it may name the file
 * @param name the name otherwise
 */
export function saveFile(file: Blob, { headers }: Response, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = /filename="(.+)"/.exec(headers.get('Content-Disposition') ?? '')?.[1] ?? name;
  link.click();
  URL.revokeObjectURL(link.href);
}
