// The mark: a leaning staff and a bowl; alone, and with the word beside it.
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} fill="var(--brand)" aria-hidden="true">
      <path d="M7.1 2.5h4.5L6.8 21.5H2.3z" />
      <path d="M14.1 2.5h1.5a6.35 6.35 0 0 1 0 12.7h-4.7z" />
    </svg>
  );
}

export function Brand() {
  return (
    <span className="brand">
      <Mark />
      <span>Peyk</span>
    </span>
  );
}
