// Ready code for the API in seven languages, without further packages. The hash is a placeholder; key, sender ID, order and
// number are the account's own. samples-run.test.ts runs every snippet. The panel imports this file too.
import { nowMs, turkeyOffsetMs } from '../time/clock.ts';

export const snippetLanguages = ['curl', 'Node', 'Python', 'PHP', 'C#', 'Java', 'Go'] as const;
export type SnippetLanguage = (typeof snippetLanguages)[number];

export function callSnippet(language: SnippetLanguage, url: string, body: unknown): string {
  return makers[language](url, JSON.stringify(body, null, 2));
}

const makers: Record<SnippetLanguage, (url: string, json: string) => string> = {
  curl: (url, json) => `curl -X POST '${url}' \\
  -H 'Content-Type: application/json' \\
  -d '${json.replaceAll("'", "'\\''")}'`,

  Node: (url, json) => `const answer = await fetch('${url}', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(${json.replaceAll('\n', '\n  ')}),
});
const { response } = await answer.json();
if (response.status.code !== 200) throw new Error(response.status.message);
console.log(response);`,

  Python: (url, json) => `import json
import urllib.error
import urllib.request

body = r'''${rawSafe(json)}'''
request = urllib.request.Request(
    "${url}",
    data=body.encode("utf-8"),
    headers={"Content-Type": "application/json"},
)
try:
    answer = json.load(urllib.request.urlopen(request))
except urllib.error.HTTPError as error:
    answer = json.load(error)
print(answer["response"])`,

  PHP: (url, json) => `<?php
$body = <<<'JSON'
${json}
JSON;
$ch = curl_init('${url}');
curl_setopt_array($ch, [
    CURLOPT_POST => true,
    CURLOPT_HTTPHEADER => ['Content-Type: application/json'],
    CURLOPT_POSTFIELDS => $body,
    CURLOPT_RETURNTRANSFER => true,
]);
$answer = json_decode(curl_exec($ch), true);
if ($answer['response']['status']['code'] !== 200) {
    throw new RuntimeException($answer['response']['status']['message']);
}
print_r($answer['response']);`,

  'C#': (url, json) => `using System.Text;

var body = """
${json}
""";
using var client = new HttpClient();
var answer = await client.PostAsync("${url}",
    new StringContent(body, Encoding.UTF8, "application/json"));
Console.WriteLine(await answer.Content.ReadAsStringAsync());`,

  Java: (url, json) => `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

public class Main {
    public static void main(String[] args) throws Exception {
        var body = """
${json.replaceAll('\\', '\\\\')}
""";
        var request = HttpRequest.newBuilder(URI.create("${url}"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
        var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(answer.body());
    }
}`,

  Go: (url, json) => `package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

func main() {
	body := \`${rawSafe(json)}\`
	answer, err := http.Post("${url}", "application/json", strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	fmt.Println(string(text))
}`,
};

/** Without the characters that end a raw string in Python and Go; JSON can escape them. */
const rawSafe = (json: string): string => json.replaceAll("'", '\\u0027').replaceAll('`', '\\u0060');

/** Values that fill an example; unknown ones stay placeholders. */
export type Sample = {
  key?: string | null;
  sender?: string;
  brand?: number | null;
  orderId?: number | null;
  mobile?: string;
};

const exampleNumber = '5550000000';

/** A body that the server accepts once the hash is filled in. */
export function exampleBody(operation: string, sample: Sample): { request: Record<string, unknown> } {
  const authentication = { key: sample.key ?? '<API_KEY>', hash: '<API_HASH>' };
  const order = { id: String(sample.orderId ?? 100000001) };
  const brandCode = sample.brand ?? '<MARKA_KODU>';
  const number = sample.mobile || '5XXXXXXXXX';
  const person = { recipient: exampleNumber, recipientType: 'BIREYSEL', type: 'MESAJ' };
  const record = { ...person, status: 'ONAY', source: 'HS_WEB', consentDate: `${day(0)} 00:00:00` };
  const examples: Record<string, Record<string, unknown>> = {
    'send-sms': {
      order: { sender: sample.sender ?? 'APITEST', message: { text: 'Merhaba', receipents: { number: [number] } } },
    },
    'cancel-order': { order },
    'get-report': { order: { ...order, page: '1', rowCount: '1000' } },
    'get-reports': { filter: { start: day(-7), end: day(0) }, page: '1' },
    'get-blacklist': { blacklist: { page: '1', rowCount: '1000' } },
    'add-blacklist': { blacklist: { number: exampleNumber } },
    'delete-blacklist': { blacklist: { number: exampleNumber } },
    'get-inbox': { inbox: { page: '1', rowCount: '1000' } },
    'iys-check': { consent: { brandCode, ...person } },
    'iys-register': { consent: { brandCode, list: [record] } },
  };
  return { request: { authentication, ...examples[operation] } };
}

const day = (offset: number): string =>
  new Date(nowMs() + offset * 86_400_000 + turkeyOffsetMs).toISOString().slice(0, 10);

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
