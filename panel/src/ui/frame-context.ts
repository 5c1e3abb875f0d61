// What the head of a page needs where the menu is a drawer: the bell, and a function that opens the menu.
import { createContext, type ReactNode } from 'react';

export const HeadTools = createContext<{ bell: ReactNode; openMenu: () => void } | null>(null);
