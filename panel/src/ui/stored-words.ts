// Words that the program stores in Turkish, in the language of the page. Customers read `operator` instead of the name of a staff member.
import { inOurs } from '../text/language.ts';

const operator = { tr: 'işletmeci', en: 'operator' };
const welcome = { tr: 'Hoş geldin kredisi', en: 'Welcome credit' };

export const actorName = (actor: string): string =>
  actor === operator.tr ? inOurs(operator) : actor === 'peyk' ? 'Peyk' : actor;
export const reasonWords = (reason: string): string => (reason === welcome.tr ? inOurs(welcome) : reason);
