// Beside a distributed schema, on the server that has it: views, functions and triggers; and its sequences, which stay when those are
// made anew.
export const hereOf = (schema: string) => `${schema}_here`;
export const numbersOf = (schema: string) => `${schema}_numbers`;
export const searchPathOf = (schema: string) => `${hereOf(schema)},${numbersOf(schema)},${schema}`;
