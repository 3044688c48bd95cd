/** Focuses the first field with an error, else the error itself. */
export function focusAfterError(form: HTMLFormElement | null): void {
  const invalid = form?.querySelector<HTMLElement>('[aria-invalid=true]');
  (invalid ?? form?.querySelector<HTMLElement>('[role=alert]'))?.focus();
  if (invalid instanceof HTMLInputElement) invalid.select();
}
