// What the frame gives to the head of a page where the menu beside it is a drawer: the bell, and how to open the menu.
import { createContext, type ReactNode } from 'react';

export const HeadTools = createContext<{ bell: ReactNode; openMenu: () => void } | null>(null);
