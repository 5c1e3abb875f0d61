// Ready code for the API in five languages, with nothing beyond what each brings along. The hash is a placeholder; the
// key is the account's own.
export const snippetLanguages = ['curl', 'TypeScript', 'PHP', 'Python', 'C#'] as const;
export type SnippetLanguage = (typeof snippetLanguages)[number];

export function callSnippet(language: SnippetLanguage, url: string, body: unknown): string {
  const json = JSON.stringify(body, null, 2);
  const makers: Record<SnippetLanguage, () => string> = {
    curl: () =>
      `curl -X POST '${url}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${json.replaceAll("'", "'\\''")}'`,
    TypeScript: () =>
      `const answer = await fetch('${url}', {\n  method: 'POST',\n  headers: { 'Content-Type': 'application/json' },\n  body: JSON.stringify(${indent(json, '  ')}),\n});\nconst { response } = await answer.json();\nif (response.status.code !== 200) throw new Error(response.status.message);\nconsole.log(response);`,
    PHP: () =>
      `<?php\n$body = <<<'JSON'\n${json}\nJSON;\n$ch = curl_init('${url}');\ncurl_setopt_array($ch, [\n    CURLOPT_POST => true,\n    CURLOPT_HTTPHEADER => ['Content-Type: application/json'],\n    CURLOPT_POSTFIELDS => $body,\n    CURLOPT_RETURNTRANSFER => true,\n]);\n$answer = json_decode(curl_exec($ch), true);\nif ($answer['response']['status']['code'] !== 200) {\n    throw new RuntimeException($answer['response']['status']['message']);\n}\nprint_r($answer['response']);`,
    Python: () =>
      `import json\nimport urllib.error\nimport urllib.request\n\nbody = ${python(json)}\nrequest = urllib.request.Request(\n    "${url}",\n    data=json.dumps(body).encode(),\n    headers={"Content-Type": "application/json"},\n)\ntry:\n    answer = json.load(urllib.request.urlopen(request))\nexcept urllib.error.HTTPError as error:\n    answer = json.load(error)\nprint(answer["response"])`,
    'C#': () =>
      `using System.Text;\n\nvar body = """\n${json}\n""";\nusing var client = new HttpClient();\nvar answer = await client.PostAsync("${url}",\n    new StringContent(body, Encoding.UTF8, "application/json"));\nConsole.WriteLine(await answer.Content.ReadAsStringAsync());`,
  };
  return makers[language]();
}

const indent = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);
const python = (json: string): string =>
  json
    .replace(/\btrue\b/g, 'True')
    .replace(/\bfalse\b/g, 'False')
    .replace(/\bnull\b/g, 'None');

/** A body that shows the shape of an operation; send-sms has the reader's own number to fill in. */
export function exampleBody(operation: string, key: string): unknown {
  const authentication = { key, hash: '<API_HASH>' };
  const examples: Record<string, Record<string, unknown>> = {
    'send-sms': { order: { sender: 'APITEST', message: { text: 'Merhaba', receipents: { number: ['5XXXXXXXXX'] } } } },
    'cancel-order': { order: { id: '100000001' } },
    'get-report': { order: { id: '100000001', page: '1', rowCount: '1000' } },
    'get-reports': { filter: { start: day(-7), end: day(0) }, page: '1' },
    'get-blacklist': { blacklist: { page: '1', rowCount: '1000' } },
    'add-blacklist': { blacklist: { number: '5XXXXXXXXX' } },
    'delete-blacklist': { blacklist: { number: '5XXXXXXXXX' } },
    'get-inbox': { inbox: { page: '1', rowCount: '1000' } },
    'iys-check': {
      consent: { brandCode: '<MARKA_KODU>', recipient: '5XXXXXXXXX', recipientType: 'BIREYSEL', type: 'MESAJ' },
    },
    'iys-register': {
      consent: {
        brandCode: '<MARKA_KODU>',
        list: [
          {
            recipient: '5XXXXXXXXX',
            recipientType: 'BIREYSEL',
            type: 'MESAJ',
            status: 'ONAY',
            source: 'HS_WEB',
            consentDate: `${day(0)} 00:00:00`,
          },
        ],
      },
    },
  };
  return { request: { authentication, ...examples[operation] } };
}

const day = (offset: number): string =>
  new Date(Date.now() + offset * 86_400_000 + 3 * 3_600_000).toISOString().slice(0, 10);

export const verifySnippet = `import { createHmac, timingSafeEqual } from 'node:crypto';

// rawBody: the bytes as received, before any JSON parsing.
export function isFromPeyk(rawBody, headers, secret) {
  const timestamp = headers['x-peyk-timestamp'];
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const expected = createHmac('sha256', secret).update(timestamp + '.' + rawBody).digest();
  return headers['x-peyk-signature'].split(',').some(value => {
    const given = Buffer.from(value.trim().replace(/^v1=/, ''), 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`;
