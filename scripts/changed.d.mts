export function testsOfChange(root: string, since?: string): { changed: string[]; tests: string[]; leftOut: string[] };
export function takeChanged(args: string[]): string | undefined;
