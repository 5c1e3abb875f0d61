// Schemas beside a distributed one, on the server that has it: one with views, functions and triggers, and one with the sequences, which is kept
// when the first one is created again.
export const hereOf = (schema: string) => `${schema}_here`;
export const numbersOf = (schema: string) => `${schema}_numbers`;
export const searchPathOf = (schema: string) => `${hereOf(schema)},${numbersOf(schema)},${schema}`;
