export function isProgramStale(): boolean;
