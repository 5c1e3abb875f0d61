// Work of the operator's staff, and what holds for all pages.
import './flows/staff.ts';
import './flows/staff-watch.ts';
import './flows/keyboard.ts';
import './flows/habits.ts';
import './flows/arrival.ts';
import './flows/silent-cell.ts';
// Last: a new version of the terms asks everybody to accept it.
import './flows/legal.ts';
