// Defines `navigator`, which Node has from 21 on. Without it the driver creates a Response to detect web workers, which makes Node 20 load
// its whole HTTP client: 30 ms of CPU at the start of every process and command.
if (!('navigator' in globalThis))
  Object.assign(globalThis, { navigator: { userAgent: `Node.js/${process.versions.node.split('.')[0]}` } });
