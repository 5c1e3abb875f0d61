// The API of this server: every operation with its fields and codes, code samples, and calls with real data.
import '../../pages.css';
import '../../reference.css';
import { Group, NavLink, SegmentedControl, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { callSnippet, exampleBody, type SnippetLanguage, snippetLanguages } from '../../../../src/api/snippets.ts';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { preferenceKeys, readPreference, writePreference } from '../../preferences.ts';
import { useRead } from '../../queries.ts';
import { inOurs, languageCode, t } from '../../text/language.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Page } from '../../ui/page.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { tabKey, useSearchState } from '../../ui/search-state.ts';
import { useKeys } from '../../ui/shortcut-rules.ts';
import { type FieldParts, fieldParts } from './field-parts.ts';
import { StateCodes } from './state-codes.tsx';
import { TryIt } from './try-it.tsx';
import { WebhookReference } from './webhook-reference.tsx';

type Developers = OutputOf<'developers.read'>;
type Operation = Developers['operations'][number];

// Chapters besides the operations: the state codes and the webhook events.
const chapters = { durumlar: () => t.docs.statesTitle, bildirimler: () => t.docs.webhookTitle };
type Chapter = keyof typeof chapters;

export default function ApiDocsPage() {
  const read = useRead('developers.read', {});
  const [search, change] = useSearchState();
  const data = read.data;
  const chapter = Object.keys(chapters).find(one => one === search['islem']) as Chapter | undefined;
  const chosen = data?.operations.find(operation => operation.name === search['islem']) ?? data?.operations[0];
  const places = [...(data?.operations.map(one => one.name) ?? []), ...Object.keys(chapters)];
  const go = (step: number) => {
    const next = places[places.indexOf(chapter ?? chosen?.name ?? '') + step];
    if (next) change({ islem: next }, true);
  };
  useKeys({ '[': () => go(-1), ']': () => go(1) });
  return (
    <Page title={t.docs.title} lead={data && t.docs.lead(data.baseUrl)}>
      <ReadState of={read} height={400} />
      {data && chosen && (
        <div className="docs">
          <nav aria-label={t.docs.operation} className="docs-nav">
            {data.operations.map(operation => (
              <NavLink
                key={operation.name}
                component="button"
                type="button"
                label={operation.name}
                active={!chapter && operation === chosen}
                aria-current={!chapter && operation === chosen ? 'true' : undefined}
                className="nav-entry mono"
                onClick={() => change({ islem: operation.name }, true)}
              />
            ))}
            {(Object.keys(chapters) as Chapter[]).map(one => (
              <NavLink
                key={one}
                component="button"
                type="button"
                label={chapters[one]()}
                active={one === chapter}
                aria-current={one === chapter ? 'true' : undefined}
                className="nav-entry"
                onClick={() => change({ islem: one }, true)}
              />
            ))}
          </nav>
          {chapter === 'durumlar' && <StateCodes />}
          {chapter === 'bildirimler' && <WebhookReference />}
          {!chapter && <OperationView key={chosen.name} operation={chosen} data={data} />}
        </div>
      )}
    </Page>
  );
}

const tabs = ['ornek', 'yanit', 'dene'];

function OperationView({ operation, data }: { operation: Operation; data: Developers }) {
  const [search, change] = useSearchState();
  const url = `${data.baseUrl.replace(/\/$/, '')}${operation.path}`;
  const fields = Object.entries(operation.fields);
  const sample = { key: data.key, ...data.sample };
  return (
    <div className="docs-operation">
      <section aria-label={operation.name} className="docs-body">
        <h2 className="mono">{operation.name}</h2>
        {operation.aliases.length > 0 && <p className="soft">{t.docs.alias(operation.aliases.join(', '))}</p>}
        <CodeBlock code={`POST ${url}`} />
        <h3>{t.docs.fields}</h3>
        {fields.length === 0 ? (
          <p>{t.docs.noFields}</p>
        ) : (
          <dl className="docs-list">
            {fields.map(([name, about]) => (
              <Field key={name} name={`${operation.needs}.${name}`} {...fieldParts(about[languageCode()])} />
            ))}
          </dl>
        )}
        <h3>{t.docs.codes}</h3>
        <dl className="docs-list docs-codes">
          {operation.codes.map(({ code, fix, ...words }) => (
            <div key={code}>
              <dt className={code === 200 ? 'good' : 'bad'}>{code}</dt>
              <dd>
                {inOurs(words)}
                {fix && <span className="soft">{inOurs(fix)}</span>}
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <Tabs
        value={tabs.find(tab => tab === search[tabKey]) ?? 'ornek'}
        onChange={tab => change({ [tabKey]: tab === 'ornek' ? null : tab }, true)}
        keepMounted={false}
        className="docs-samples"
      >
        <Tabs.List>
          <Tabs.Tab value="ornek">{t.docs.snippet}</Tabs.Tab>
          <Tabs.Tab value="yanit">{t.docs.answerTitle}</Tabs.Tab>
          <Tabs.Tab value="dene">{t.docs.tryIt}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="ornek" pt="md">
          <Snippets url={url} body={exampleBody(operation.name, sample)} />
        </Tabs.Panel>
        <Tabs.Panel value="yanit" pt="md">
          <Answers operation={operation} />
        </Tabs.Panel>
        <Tabs.Panel value="dene" pt="md">
          <TryIt operation={operation} sample={sample} />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

function Field({ name, type, isRequired, note }: { name: string } & FieldParts) {
  return (
    <div>
      <dt>
        <b className="mono">{name}</b> <span className="soft">{type}</span>
        {isRequired && <span className="bad">{t.docs.required}</span>}
      </dt>
      {note && (
        <dd>
          {note.split('`').map((piece, at) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one sentence have no other name
            at % 2 === 0 ? piece : <code key={at}>{piece}</code>,
          )}
        </dd>
      )}
    </div>
  );
}

function Answers({ operation }: { operation: Operation }) {
  return (
    <Stack gap="sm">
      <CodeBlock code={JSON.stringify(operation.answer, null, 2)} label={t.docs.answerGood} />
      <Text size="sm">{t.docs.answerBad}</Text>
      <CodeBlock code={JSON.stringify(operation.refusal, null, 2)} label={t.docs.answerBad} />
    </Stack>
  );
}

function Snippets({ url, body }: { url: string; body: unknown }) {
  const [language, setLanguage] = useState<SnippetLanguage>(() => {
    const kept = readPreference(preferenceKeys.snippet);
    return snippetLanguages.find(one => one === kept) ?? 'curl';
  });
  const choose = (value: string) => {
    setLanguage(value as SnippetLanguage);
    writePreference(preferenceKeys.snippet, value);
  };
  return (
    <Stack gap="sm">
      <Group>
        <SegmentedControl
          size="xs"
          aria-label={t.docs.language}
          data={[...snippetLanguages]}
          value={language}
          onChange={choose}
        />
      </Group>
      <CodeBlock code={callSnippet(language, url, body)} label={language} copyKey="c" />
    </Stack>
  );
}
