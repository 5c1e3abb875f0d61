// The driver asks at its load whether it runs in a worker of a web host, by `navigator`, which Node has from 21 on. Where there is
// none it makes a Response to find out, and with it Node loads its whole HTTP client: 30 ms of a core at the start of every
// process and command. So Node 20 is named as its successors name themselves.
if (!('navigator' in globalThis))
  Object.assign(globalThis, { navigator: { userAgent: `Node.js/${process.versions.node.split('.')[0]}` } });
