// The node: its form is generated from the table of operations, and each incoming item is one call.
import { itemsOf } from './call.ts';
import type { Host, Item, Property } from './host.ts';
import { type Operation, resources } from './operations.ts';

const titles: Record<string, string> = {
  message: 'Message',
  account: 'Account',
  blacklist: 'Blacklist',
  consent: 'Consent (İYS)',
  inbox: 'Inbox',
};

const resourceChoice: Property = {
  displayName: 'Resource',
  name: 'resource',
  type: 'options',
  noDataExpression: true,
  default: 'message',
  options: Object.keys(resources).map(value => ({ name: titles[value]!, value })),
};

function operationChoice(resource: string, operations: Operation[]): Property {
  return {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    default: operations[0]!.value,
    displayOptions: { show: { resource: [resource] } },
    options: operations.map(({ name, value, action, description }) => ({ name, value, action, description })),
  };
}

const fieldsOf = (resource: string, { value, fields }: Operation): Property[] =>
  fields.map(field => ({ ...field, displayOptions: { show: { resource: [resource], operation: [value] } } }));

export class Peyk {
  description = {
    displayName: 'Peyk',
    name: 'peyk',
    icon: 'file:peyk.svg' as const,
    group: ['output' as const],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Send SMS in Turkey and see what becomes of them',
    defaults: { name: 'Peyk' },
    inputs: ['main' as const],
    outputs: ['main' as const],
    usableAsTool: true as const,
    credentials: [{ name: 'peykApi', required: true }],
    properties: [
      resourceChoice,
      ...Object.entries(resources).map(([resource, list]) => operationChoice(resource, list)),
      ...Object.entries(resources).flatMap(([resource, list]) => list.flatMap(one => fieldsOf(resource, one))),
    ],
  };

  async execute(this: Host): Promise<Item[][]> {
    const found: Item[] = [];
    for (const [item] of this.getInputData().entries()) {
      const resource = String(this.getNodeParameter('resource', item));
      const operation = resources[resource]?.find(one => one.value === this.getNodeParameter('operation', item));
      try {
        if (!operation) throw new Error('There is no such operation');
        for (const json of await itemsOf(this, operation, item)) found.push({ json, pairedItem: { item } });
      } catch (error) {
        if (!this.continueOnFail()) throw error;
        found.push({ json: { error: (error as Error).message }, pairedItem: { item } });
      }
    }
    return [found];
  }
}
