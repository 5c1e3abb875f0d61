// The pages of the site at /docs, in the order of the sidebar. The text is the file `docs/NAME.md`, or `from`; its Turkish is
// `docs/tr/NAME.md`. Without one, Turkish readers get the English text with a note. Rows of `isEnglish` have no Turkish
// address.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../stale.mjs';

export const groups = [
  {
    tr: 'Başlangıç',
    en: 'First steps',
    pages: [
      { name: 'index', tr: 'Peyk', en: 'Peyk' },
      { name: 'start', tr: 'Beş dakikada başlangıç', en: 'Five-minute start' },
      { name: 'guide', tr: 'Kullanım kılavuzu', en: 'Guide for the panel' },
      { name: 'moving', tr: 'Taşınma', en: 'Moving in' },
      { name: 'going-live', tr: 'Operatörle yayına geçiş', en: 'Going live with a carrier' },
      { name: 'iys', tr: 'İYS kılavuzu', en: 'İYS guide' },
    ],
  },
  {
    tr: 'Geliştirici',
    en: 'Developers',
    pages: [
      // `api` is the name of the reference, which the program generates itself.
      { name: 'interface', from: 'docs/api.md', tr: 'Arayüz', en: 'The interface' },
      { name: 'errors', tr: 'Hatalar', en: 'Errors' },
      { name: 'webhooks', tr: 'Webhook', en: 'Webhooks' },
      { name: 'clients', tr: 'İstemciler', en: 'Clients' },
      { name: 'xml', tr: 'XML ve GET', en: 'XML and GET' },
      { name: 'smpp', tr: 'Müşteriler için SMPP', en: 'SMPP for customers' },
      { name: 'assistants', tr: 'Asistanlar (MCP)', en: 'Assistants (MCP)' },
      { name: 'client', from: 'packages/client/README.md', tr: '@peyk/client', en: '@peyk/client' },
      { name: 'n8n', from: 'packages/n8n-nodes-peyk/README.md', tr: 'n8n', en: 'n8n' },
      { name: 'test-numbers', from: 'simulators/smsc/README.md', tr: 'Sahte operatör', en: 'The simulated carrier' },
    ],
  },
  {
    tr: 'İşletme',
    en: 'Operators',
    pages: [
      { name: 'operating', tr: 'İşletme', en: 'Operating' },
      { name: 'install', from: 'ops/README.md', tr: 'Kurulum biçimleri', en: 'Ways to install' },
      { name: 'configuration', tr: 'Ayarlar', en: 'Settings' },
      { name: 'cli', tr: 'Komut satırı', en: 'The command line' },
      { name: 'panel', tr: 'Panel', en: 'The panel' },
      { name: 'scaling', tr: 'Ölçekleme', en: 'Scaling' },
      { name: 'security', tr: 'Güvenlik', en: 'Security' },
      { name: 'backup', tr: 'Yedekleme', en: 'Backup' },
      { name: 'runbook', tr: 'Alarm rehberi', en: 'Runbook' },
      { name: 'failure', tr: 'Şu olursa ne olur', en: 'What happens when' },
      { name: 'http-carriers', tr: 'HTTP operatörleri', en: 'Carriers over HTTP' },
      { name: 'receipts', tr: 'İletim raporları', en: 'Receipts' },
      { name: 'registry', tr: 'İYS istemcisi ve benzeticisi', en: 'Registry client and simulator' },
      { name: 'failover', from: 'ops/failover/README.md', tr: 'Devralan veritabanı', en: 'A database that fails over' },
    ],
  },
  {
    tr: 'İçi',
    en: 'Inside',
    pages: [
      { name: 'architecture', tr: 'Mimari', en: 'Architecture' },
      { name: 'panel-design', tr: 'Panelin tasarımı', en: 'Design of the panel' },
      { name: 'changes', from: 'CHANGELOG.md', tr: 'Değişiklikler', en: 'Changes' },
      { name: 'contributing', from: 'CONTRIBUTING.md', tr: 'Katkı', en: 'Contributing' },
      { name: 'report-a-weakness', from: 'SECURITY.md', tr: 'Açık bildirme', en: 'Reporting a weakness' },
    ],
  },
  { tr: 'Kararlar', en: 'Decisions', isFolded: true, pages: decisions() },
];

export const languages = ['tr', 'en'];

function decisions() {
  const names = readdirSync(join(root, 'docs', 'decisions')).filter(name => name.endsWith('.md'));
  return names.sort().map(file => {
    const name = `decisions/${file.slice(0, -'.md'.length)}`;
    const title = name.slice('decisions/0000-'.length).replaceAll('-', ' ');
    return { name, tr: title, en: title, isEnglish: true };
  });
}

/** Every page with a text, and the files of its languages. */
export function sitePages() {
  return groups.flatMap(group =>
    group.pages
      .map(page => {
        const en = page.from ?? `docs/${page.name}.md`;
        const own = `docs/tr/${page.name}.md`;
        return { ...page, group, files: { en, tr: existsSync(join(root, own)) ? own : null } };
      })
      .filter(page => existsSync(join(root, page.files.en))),
  );
}

/** The address of a page in a language. */
export function addressOf(page, language) {
  const start = language === 'en' || page.isEnglish ? '/docs/en/' : '/docs/';
  return page.name === 'index' ? start : start + page.name;
}
