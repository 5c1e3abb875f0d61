// Every process of a node but the first (src/processes/fleet.ts).
'use strict';
require('./load.cjs').load('child.cjs').runChild();
