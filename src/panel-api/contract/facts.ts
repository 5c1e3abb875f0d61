// Facts that server and browser share. The file imports no schemas, so that the browser does not load them.

export const panelHeader = { name: 'X-Peyk-Panel', value: '1' } as const;
export const documentBytesMax = 5 * 1024 * 1024;
export const documentTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const;

/** `public`: nobody is signed in. `user`: anybody signed in. The others depend on the chosen account, or on the staff flag. */
export type Role = 'public' | 'user' | 'viewer' | 'sender' | 'owner' | 'staff';
export const memberRoles = ['viewer', 'sender', 'owner'] as const;
export type MemberRole = (typeof memberRoles)[number];

/**
 * Downloads: GET /panel/api/export/<kind>?format=csv|xlsx&language=tr|en and the members of the list's filter. Beyond
 * `exportRowsMax` rows the answer is error `too-many-rows`: such a file is made in the background (`exports.start`).
 */
export const exportKinds = {
  orders: 'viewer',
  recipients: 'viewer',
  inbox: 'viewer',
  blacklist: 'viewer',
  consents: 'viewer',
  ledger: 'viewer',
  report: 'viewer',
  refusals: 'viewer',
  audit: 'owner',
} as const satisfies Record<string, Role>;
export type ExportKind = keyof typeof exportKinds;
export const exportRowsMax = 50_000;

export const reportDimensions = ['day', 'month', 'sender', 'user', 'source', 'operator'] as const;
