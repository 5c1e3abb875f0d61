// Turkish nouns and verbs keep their singular after a number; English ones do not.
const either = (n: string | number, one: string, many: string): string => (String(n) === '1' ? one : many);
export const counted = (n: string | number, one: string, many = `${one}s`): string => `${n} ${either(n, one, many)}`;
export const people = (n: string | number): string => counted(n, 'person', 'people');
