// The parts of n8n that this node uses, as types of its own: n8n-workflow brings 160 packages (148 MB), and none of
// them is needed at run time. The types are compatible: `INodeType` and `ICredentialType` of n8n-workflow accept the
// classes.
export type Value = string | number | boolean | object | null | undefined;
export type Json = Record<string, Value>;
export type Item = { json: Json; pairedItem?: { item: number } };

export type Property = {
  displayName: string;
  name: string;
  type: 'string' | 'number' | 'boolean' | 'options' | 'dateTime';
  default: string | number | boolean;
  description?: string;
  placeholder?: string;
  required?: boolean;
  noDataExpression?: boolean;
  typeOptions?: { rows?: number; password?: boolean; minValue?: number; maxValue?: number };
  options?: Choice[];
  displayOptions?: { show: Record<string, string[]> };
};

export type Choice = { name: string; value: string; description?: string; action?: string };

export type Credentials = { baseUrl: string; key: string; hash: string };

export type HttpRequest = {
  method: 'POST';
  url: string;
  headers: Record<string, string>;
  body: Json;
  json: true;
  returnFullResponse: true;
  ignoreHttpStatusErrors: true;
};

export type Host = {
  getInputData(): unknown[];
  getNodeParameter(name: string, item: number, fallback?: Value): Value;
  getCredentials(name: string): Promise<unknown>;
  getNode(): { id: string; name: string };
  getExecutionId(): string;
  continueOnFail(): boolean;
  helpers: { httpRequest(request: HttpRequest): Promise<{ statusCode: number; body: unknown }> };
};
