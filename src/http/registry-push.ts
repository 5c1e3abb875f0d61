// POST /registry/push: where the consent registry posts citizens' decisions, with Basic authentication. It is answered
// after the records are stored, within the five seconds that the registry allows; records that could not be stored in
// time get 503 and arrive again by push or by pull. The path exists only if user and password are set.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readPush, storePush } from '../consent/sync/pushed.ts';
import type { Db } from '../db/db.ts';
import type { Log } from '../log.ts';
import { inTime } from '../loops/in-time.ts';
import { isEqualSecret } from '../sealing/digest.ts';
import type { Config } from '../settings/config.ts';
import { bodyOf, send } from './serve.ts';

export const pushPath = '/registry/push';
const bodyBytesMax = 1024 * 1024;
// Half a second below the registry's limit of five seconds, for the network.
const answerMaxMs = 4_500;

type RegistryPushServices = {
  db: Db;
  /** All cells, if there are several; each stores the decisions about its own brands. */
  cells?: { all(): [number, { db: Db }][] };
  log: Log;
  config: Pick<Config, 'PEYK_REGISTRY_PUSH_USER' | 'PEYK_REGISTRY_PUSH_PASSWORD'>;
  /** For tests. */
  answerMs?: number;
};

export function addRegistryPush(server: FastifyInstance, services: RegistryPushServices): void {
  const { PEYK_REGISTRY_PUSH_USER: user, PEYK_REGISTRY_PUSH_PASSWORD: password } = services.config;
  if ((user === '') !== (password === ''))
    services.log.warn({}, 'registry push is off: it needs PEYK_REGISTRY_PUSH_USER and PEYK_REGISTRY_PUSH_PASSWORD');
  if (user === '' || password === '') return;
  const isKnown = createCheck(`${user}:${password}`);
  // A separate scope: bodies of the API may have 32 MB and wait for each other, which would exceed the time limit.
  server.register(async scope => {
    scope.removeAllContentTypeParsers();
    const options = { parseAs: 'buffer', bodyLimit: bodyBytesMax } as const;
    scope.addContentTypeParser('*', options, (_request, body, done) => done(null, body));
    scope.post(pushPath, {
      // Before the body is read: an unauthenticated body must not use memory.
      async onRequest(request, reply) {
        if (isKnown(request.headers.authorization)) return;
        return send(reply.header('www-authenticate', 'Basic realm="registry"'), 401);
      },
      handler: (request, reply) => take(services, request, reply),
    });
  });
}

async function take(
  services: RegistryPushServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, cells, log, answerMs = answerMaxMs } = services;
  const pushed = readPush(bodyOf(request));
  if (pushed === null) return send(reply, 400);
  if (pushed.unreadable > 0) log.warn({ entries: pushed.unreadable }, 'registry.unreadable');
  const everywhere = (cells?.all() ?? [[0, { db }]]).map(([, one]) => storePush(one.db, pushed));
  // Records that are stored twice, or after the time limit, count once.
  const stored = await inTime(Promise.all(everywhere), answerMs - reply.elapsedTime);
  if (stored === 'late') log.warn({ entries: pushed.list.length }, 'registry push was not stored in time');
  return send(reply, stored === 'late' ? 503 : 200);
}

function createCheck(credentials: string): (header: string | undefined) => boolean {
  return header => {
    const given = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? '')?.[1] ?? '';
    return isEqualSecret(Buffer.from(given, 'base64'), credentials);
  };
}
