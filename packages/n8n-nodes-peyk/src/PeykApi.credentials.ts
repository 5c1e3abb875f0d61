// The address of the server, and key and hash of its API; tested by reading the balance.
import type { Property } from './host.ts';

const secret = { type: 'string' as const, default: '', required: true, typeOptions: { password: true } };

export class PeykApi {
  name = 'peykApi';
  displayName = 'Peyk API';
  icon = 'file:peyk.svg' as const;
  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-peyk';
  properties: Property[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://sms.example.com',
      description: 'Address of your Peyk, without /v1',
    },
    { ...secret, displayName: 'API Key', name: 'key', description: 'From the panel: Developers → API keys' },
    { ...secret, displayName: 'API Hash', name: 'hash', description: 'As issued, unchanged' },
  ];
  test = {
    request: {
      method: 'POST' as const,
      baseURL: '={{$credentials.baseUrl}}',
      url: '/v1/get-balance/json',
      body: { request: { authentication: { key: '={{$credentials.key}}', hash: '={{$credentials.hash}}' } } },
      json: true,
    },
  };
}
