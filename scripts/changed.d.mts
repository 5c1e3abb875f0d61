export type Changes = { changed: string[]; paths: string[] };
export function changesSince(root: string, since?: string): Changes;
export function testsOfChange(root: string, changes: Changes): { tests: string[]; leftOut: string[] };
export function takeChanged(args: string[]): string | undefined;
