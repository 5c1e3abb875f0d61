// For tests: carriers over HTTP that are the simulator in this process, and the handler of their posts behind a plain server.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type HttpCarrier, type HttpCarrierOptions, startHttpCarrier } from '../../../simulators/http-carrier/main.ts';
import { callbackUrl, carriersWithPasswords, putCarrier } from '../../carriers/carriers.ts';
import type { Definition } from '../../carriers/http/definition.ts';
import { presets } from '../../carriers/http/presets.ts';
import type { Db } from '../../db/db.ts';
import { silentLog } from '../../log.ts';
import { secretKey } from '../dispatch-fixture.ts';
import { type CallbackHandler, startCallbackHandler } from './callback-handler.ts';

const login = { user: 'peyk', password: 'gizli-parola' };

export class HttpBench {
  readonly #db: Db;
  readonly #server: Server;
  readonly #carriers: HttpCarrier[] = [];
  handler: CallbackHandler;
  url = '';

  constructor(db: Db) {
    this.#db = db;
    this.handler = startCallbackHandler(db, secretKey, silentLog);
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const [, , id, secret = '', what] = (request.url ?? '').split('/');
      const place = { carrierId: Number(id), secret, what: (what ?? null) as 'receipts' | 'inbound' | null };
      const headers = request.headers as Record<string, string>;
      const posted = {
        url: this.url + request.url,
        headers,
        body: Buffer.concat(chunks).toString(),
        address: '127.0.0.1',
      };
      const answer = await this.handler.receive(place, posted);
      response.writeHead(answer.status).end(answer.body);
    });
  }

  async start(): Promise<this> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', () => resolve()));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  /** A simulator of this provider and the carrier that leads to it; reports are asked for every second. */
  async carrier(
    provider: string,
    settings: Record<string, string> = {},
    options: Partial<HttpCarrierOptions> = {},
    changes: Partial<Definition> = {},
  ): Promise<HttpCarrier> {
    const simulator = await startHttpCarrier({ ...login, ...options, provider });
    this.#carriers.push(simulator);
    const preset = presets[provider]!;
    const poll = preset.poll && { poll: { ...preset.poll, everySeconds: 1 } };
    // One secret at a time, as on the command line.
    const definition = JSON.stringify({ ...preset, ...poll, ...changes });
    const { api_user: _, api_password: __, ...credentials } = preset.credentials;
    const isToken = Object.keys(credentials).length < Object.keys(preset.credentials).length;
    const plain = definition.replaceAll('{{secret:api_user}}', 'api').replaceAll('{{secret:api_password}}', 'api');
    const given = {
      ...login,
      kind: 'http',
      url: simulator.url,
      private: 'on',
      definition: isToken ? plain : definition,
    };
    const { id } = await putCarrier(this.#db, secretKey, provider, { ...given, ...settings });
    const [carrier] = (await carriersWithPasswords(this.#db, secretKey)).filter(one => one.id === id);
    simulator.setCallback(callbackUrl(this.url, id, carrier!.secrets));
    return simulator;
  }

  async close(): Promise<void> {
    await Promise.all(this.#carriers.map(one => one.stop()));
    await this.handler.stop();
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }
}
