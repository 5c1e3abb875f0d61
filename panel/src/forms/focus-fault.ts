// Moves the focus to the first invalid field of a form, whose message a screen reader then reads.

export function focusFault(within: ParentNode): void {
  requestAnimationFrame(() => within.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}

/** For all forms of the panel: called once. */
export function focusFaultsOnSubmit(): void {
  document.addEventListener('submit', event => focusFault(event.target as HTMLFormElement));
}
