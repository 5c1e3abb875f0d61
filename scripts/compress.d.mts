export function compressFolder(folder: string, options?: { brotli?: boolean }): void;
