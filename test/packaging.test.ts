// The files under ops/ agree with each other and with the program's settings, as far as that can be checked without Docker,
// Helm and a cluster.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { settings } from '../src/settings/config.ts';
import { temporaryFolder } from './support/run/temporary-folder.ts';
import { renderChart } from './support/sources/chart.ts';
import { root } from './support/sources/sources.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const secrets = Object.entries(settings).filter(([, one]) => one.secret);
const known = new Set([...Object.keys(settings), ...secrets.map(([name]) => `${name}_FILE`)]);
const settingsIn = (text: string) => text.match(/\b(?:PEYK_[A-Z_]+|DATABASE_URL(?:_FILE)?)\b/g) ?? [];
const chart = 'ops/helm/peyk';
const templates = readdirSync(join(root, chart, 'templates')).map(name => read(`${chart}/templates/${name}`));

test('every setting that a file under ops names is one of the program', () => {
  const files = readdirSync(join(root, 'ops'), { recursive: true, withFileTypes: true }).filter(one => one.isFile());
  const named = files.flatMap(file => settingsIn(readFileSync(join(file.parentPath, file.name), 'utf8')));
  expect(named.length).toBeGreaterThan(20);
  expect([...new Set(named)].filter(name => !known.has(name))).toEqual([]);
});

test('the image installs the package of a release, or makes it from a checkout, runs as nobody special, and says whether it is well', () => {
  const file = read('ops/docker/Dockerfile');
  const copied = [...file.matchAll(/^COPY --from=build (\S+) \S+$/gm)].map(match => match[1]);
  expect(copied).toEqual(['/opt/peyk']);
  expect(file).toContain('[ -f peyk.tgz ] || (npm ci && npm run release');
  expect(read('ops/docker/Dockerfile.dockerignore').split('\n')).not.toContain('docs');
  expect(file).toMatch(/^USER 10001:10001$/m);
  expect(file).toMatch(/^HEALTHCHECK /m);
});

test('secrets, volumes and services of the compose file are all declared, and the program’s root is read-only', () => {
  type Service = { secrets?: string[]; volumes?: string[]; depends_on?: object; read_only?: boolean };
  const file = parse(read('ops/docker/compose.yaml'), { merge: true }) as {
    services: Record<string, Service>;
    secrets: object;
    volumes: object;
  };
  const services = Object.values(file.services);
  const used = (pick: (one: Service) => string[]) => [...new Set(services.flatMap(pick))].sort();
  expect(used(one => one.secrets ?? [])).toEqual(Object.keys(file.secrets).sort());
  const defaults = (one: string) => one.replace(/\$\{\w+:-([^}]+)\}/, '$1');
  const places = used(one => one.volumes ?? []).map(one => defaults(one).split(':')[0]!);
  expect([...new Set(places.filter(one => !one.startsWith('.')))].sort()).toEqual(Object.keys(file.volumes).sort());
  expect(places.filter(one => one.startsWith('.') && !existsSync(join(root, 'ops/docker', one)))).toEqual([]);
  for (const one of used(service => Object.keys(service.depends_on ?? {}))) expect(file.services).toHaveProperty(one);
  expect(file.services['peyk']!.read_only).toBe(true);
  const made = read('ops/docker/make-secrets.sh')
    .match(/^keep (\w+)/gm)!
    .map(line => line.slice(5));
  expect(made.sort()).toEqual(Object.keys(file.secrets).sort());
  expect(parse(read('ops/grafana/datasource.yml'))).toBeTruthy();
});

type Compose = { services: Record<string, { environment?: Record<string, string>; secrets?: string[] }> };
const compose = () => parse(read('ops/docker/compose.yaml'), { merge: true }) as Compose;

test('each service of the compose file gets the secrets that it reads and no other, and nobody else on the machine reaches them', () => {
  for (const [name, { environment = {}, secrets: given = [] }] of Object.entries(compose().services)) {
    const named = Object.entries(environment)
      .filter(([setting]) => setting.endsWith('_FILE'))
      .map(([, path]) => path.replace('/run/secrets/', ''));
    // Prometheus reads its token by its own configuration.
    const wanted = name === 'prometheus' ? ['metrics_token'] : named;
    expect([...given].sort(), name).toEqual(wanted.sort());
  }
  const folder = temporaryFolder();
  copyFileSync(join(root, 'ops/docker/make-secrets.sh'), join(folder, 'make-secrets.sh'));
  execFileSync('sh', ['make-secrets.sh'], { cwd: folder });
  expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700);
});

test('the compose file takes backups and notifies of alerts', () => {
  const { services } = compose();
  const { PEYK_BACKUP: target } = services['peyk']!.environment!;
  expect((services['peyk'] as { volumes?: string[] }).volumes!.some(one => one.endsWith(`:${target}`))).toBe(true);
  expect(read('ops/docker/pg_hba.conf')).toMatch(/^host +replication +peyk /m);
  const config = parse(read('ops/prometheus/prometheus.yml')) as {
    global: { external_labels: { panel_url: string } };
    alerting: { alertmanagers: { static_configs: { targets: string[] }[] }[] };
  };
  for (const target of config.alerting.alertmanagers.flatMap(one => one.static_configs.flatMap(each => each.targets)))
    expect(services).toHaveProperty(target.split(':')[0]!);
  expect(new URL(config.global.external_labels.panel_url).protocol).toMatch(/^http/);
  const { route, receivers } = parse(read('ops/prometheus/alertmanager.yml')) as {
    route: { receiver: string; routes: { receiver: string }[] };
    receivers: { name: string }[];
  };
  const known = receivers.map(one => one.name);
  expect([route, ...route.routes].map(one => one.receiver).filter(one => !known.includes(one))).toEqual([]);
});

test('the runbook link of every alert opens its section in the documentation that the program serves', () => {
  const { groups } = parse(read('ops/prometheus/peyk.rules.yml')) as {
    groups: { rules: { alert: string; annotations: { runbook_url: string } }[] }[];
  };
  const page = read('dist/docs/en/runbook.html');
  for (const { alert, annotations } of groups[0]!.rules) {
    const [, path, id] = /^\{\{ \$externalLabels\.panel_url \}\}(\/docs\/en\/runbook)#(\w+)$/.exec(
      annotations.runbook_url,
    )!;
    expect(page, `${alert} ${path}`).toContain(`id="${id}"`);
  }
});

test('npm pack builds first, and makes no package where it cannot', () => {
  const folder = temporaryFolder();
  for (const path of ['package.json', 'scripts', 'src', 'tsconfig.json', 'tsconfig.build.json'])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  const pack = spawnSync('npm', ['pack', '--silent'], { cwd: folder, encoding: 'utf8' });
  expect([pack.status, pack.stderr]).toEqual([1, expect.stringContaining('run "npm ci"')]);
  expect(readdirSync(folder).filter(name => name.endsWith('.tgz'))).toEqual([]);
});

test('no package asks for another Node than we promise', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { engines?: { node?: string } }>;
  };
  const { subset } = createRequire(import.meta.url)('semver') as { subset(ours: string, theirs: string): boolean };
  const promised = packages['']!.engines!.node!;
  expect(subset('20.19.0', promised) && subset('24.0.0', promised)).toBe(true);
  const narrower = Object.entries(packages).filter(
    ([, one]) => one.engines?.node && !subset(promised, one.engines.node),
  );
  expect(narrower.map(([path, one]) => `${path} ${one.engines!.node}`)).toEqual([]);
});

test('the package depends only on what is not built into it, and the SBOM lists both', async () => {
  const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
  const bundled = (JSON.parse(read('dist/src/program/packages.json')) as { name: string }[]).map(one => one.name);
  const wanted = [...Object.keys(manifest['dependencies']!), ...Object.keys(manifest['optionalDependencies']!)];
  expect(bundled).toEqual(expect.arrayContaining(['fastify', 'pg', 'pino', 'typebox']));
  expect(wanted.filter(name => bundled.includes(name))).toEqual([]);
  const { sbomOf } = (await import(new URL('../scripts/sbom.mjs', import.meta.url).href)) as {
    sbomOf(version: string): { components: { name: string; version: string; purl: string }[] };
  };
  const { components } = sbomOf('0.3.1');
  const listed = new Set(components.map(one => one.name));
  expect([...bundled, ...wanted, 'react', '@mantine/core', 'minisearch'].filter(name => !listed.has(name))).toEqual([]);
  expect(['typescript', 'vitest', 'rolldown', 'smpp'].filter(name => listed.has(name))).toEqual([]);
  expect(new Set(components.map(one => one.purl)).size).toBe(components.length);
});

test('the chart is of this version, uses only values that it has and parts that it defines, and splits all roles', () => {
  const version = JSON.parse(read('package.json')).version;
  expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({ name: 'peyk', version, appVersion: version });
  const values = parse(read(`${chart}/values.yaml`)) as Record<string, unknown> & {
    roles: Record<string, { roles: string }>;
  };
  const text = templates.join('\n');
  const used = [...text.matchAll(/\.Values\.([A-Za-z.]+)/g)].map(match => match[1]!);
  const has = (path: string) =>
    path.split('.').reduce<unknown>((at, step) => (at as Record<string, unknown>)?.[step], values) !== undefined;
  expect([...new Set(used)].filter(path => !has(path))).toEqual([]);
  const defined = [...text.matchAll(/define "([^"]+)"/g)].map(match => match[1]);
  const included = [...text.matchAll(/include "([^"]+)"/g)].map(match => match[1]);
  expect([...new Set(included)].sort()).toEqual([...new Set(defined)].sort());
  const blocks = (word: RegExp) => (text.match(word) ?? []).length;
  expect(blocks(/\{\{-? ?(?:if|range|define) /g)).toBe(blocks(/\{\{-? ?end ?-?\}\}/g));
  const roles = Object.values(values.roles).flatMap(one => one.roles.split(','));
  expect(roles.sort()).toEqual([...settings.PEYK_ROLES.fallback({})].sort());
  for (const kind of ['Deployment', 'PodDisruptionBudget', 'Job', 'Service']) expect(text).toContain(`kind: ${kind}`);
});

type Container = { env: { name: string; value: string }[]; ports?: object[] };
type Deployment = { spec: { template: { spec: { containers: [Container] } } } };
type Service = { spec: { ports: { port: number }[] } };

/** The chart's documents, with some values changed. */
function rendered(changes: Record<string, unknown>) {
  const Values = { ...(parse(read(`${chart}/values.yaml`)) as object), ...changes };
  const documents = renderChart(templates, { Values, Release: { Name: 'sms' }, Chart: { AppVersion: '0.3.1' } });
  const find = <Shape>(kind: string, name: string): Shape =>
    documents.find(one => one['kind'] === kind && (one['metadata'] as { name: string }).name === name) as Shape;
  return { find, kinds: documents.map(one => one['kind']) };
}

test('the chart opens to the world only what its values ask for: an Ingress, a route of the Gateway API, SMPP with TLS or in plain text', () => {
  const plain = rendered({});
  const roles = ['api', 'background', 'dispatch', 'smpp'];
  expect(plain.kinds.sort()).toEqual(
    [...roles.flatMap(() => ['Deployment', 'PodDisruptionBudget']), 'Job', 'Service'].sort(),
  );
  const smppOf = (one: ReturnType<typeof rendered>) =>
    one.find<Deployment>('Deployment', 'sms-smpp').spec.template.spec.containers[0];
  const envOf = (one: ReturnType<typeof rendered>) =>
    Object.fromEntries(smppOf(one).env.map(({ name, value }) => [name, value]));
  expect(envOf(plain)).toMatchObject({ PEYK_SMPP_PORT: 'off', PEYK_SMPP_TLS_PORT: 'off', PEYK_ROLES: 'smpp' });

  const httpRoute = { enabled: true, gateway: 'edge', gatewayNamespace: 'gateways', hostnames: ['sms.example.com'] };
  const ingress = {
    enabled: true,
    className: 'nginx',
    host: 'sms.example.com',
    tlsSecret: 'web',
    annotations: { a: 'b' },
  };
  const open = rendered({ httpRoute, ingress, tlsSecret: 'tls' });
  expect(open.find<Service>('HTTPRoute', 'sms').spec).toEqual({
    parentRefs: [{ name: 'edge', namespace: 'gateways' }],
    hostnames: ['sms.example.com'],
    rules: [
      {
        matches: [{ path: { type: 'PathPrefix', value: '/' } }],
        backendRefs: [{ name: 'sms', port: open.find<Service>('Service', 'sms').spec.ports[0]!.port }],
      },
    ],
  });
  expect(open.find<Service>('Ingress', 'sms').spec).toMatchObject({
    ingressClassName: 'nginx',
    tls: [{ secretName: 'web' }],
  });
  expect(open.find<Service>('Service', 'sms-smpp').spec).toMatchObject({
    type: 'LoadBalancer',
    externalTrafficPolicy: 'Local',
    ports: [{ name: 'smpp-tls', port: 3550, targetPort: 'smpp-tls' }],
  });
  expect(envOf(open)).toMatchObject({ PEYK_SMPP_PORT: 'off', PEYK_SMPP_TLS_PORT: '3550' });
  // The port of probes and metrics belongs to the pod; no service leads to it.
  const watch = { name: 'http', containerPort: 8081 };
  expect(smppOf(open).ports).toEqual([{ name: 'smpp-tls', containerPort: 3550 }, watch]);

  const values = parse(read(`${chart}/values.yaml`)) as { smpp: object };
  const closedNet = rendered({ smpp: { ...values.smpp, plainPort: 2776 } });
  expect(closedNet.find<Service>('Service', 'sms-smpp').spec.ports.map(one => one.port)).toEqual([2776]);
  expect(smppOf(closedNet).ports).toEqual([{ name: 'smpp', containerPort: 2776 }, watch]);
  expect(envOf(closedNet)).toMatchObject({ PEYK_SMPP_PORT: '2776', PEYK_SMPP_TLS_PORT: 'off' });
});

test('the chart’s pods are given time to start, are placed by the values, and are scraped when asked for', () => {
  const nodes = { nodeSelector: { disk: 'fast' } };
  const values = parse(read(`${chart}/values.yaml`)) as { roles: { api: object }; scrape: object };
  const elsewhere = { tolerations: [{ key: 'sms', operator: 'Exists' }] };
  const roles = { ...values.roles, api: { ...values.roles.api, scheduling: elsewhere } };
  const scrape = { ...values.scrape, enabled: true, labels: { release: 'prometheus' } };
  const one = rendered({ scheduling: nodes, roles, scrape, podAnnotations: { team: 'sms' } });
  const podOf = (name: string) => one.find<Deployment>('Deployment', name).spec.template;
  expect(podOf('sms-dispatch').spec).toMatchObject(nodes);
  expect(podOf('sms-api').spec).toMatchObject(elsewhere);
  expect(podOf('sms-api').spec).not.toHaveProperty('nodeSelector');
  expect(podOf('sms-api')).toMatchObject({ metadata: { annotations: { team: 'sms' } } });
  expect(one.find<Deployment>('Job', 'sms-migrate').spec.template.spec).toMatchObject(nodes);
  const [container] = podOf('sms-dispatch').spec.containers;
  expect(container).toMatchObject({ startupProbe: { httpGet: { path: '/health/live' }, failureThreshold: 60 } });
  expect(container.env).toContainEqual({
    name: 'PEYK_METRICS_TOKEN_FILE',
    value: '/run/secrets/peyk/metrics-token',
  });
  expect(one.find('PodMonitor', 'sms')).toMatchObject({
    metadata: { labels: { release: 'prometheus' } },
    spec: {
      jobLabel: 'app.kubernetes.io/name',
      selector: { matchLabels: { 'app.kubernetes.io/name': 'peyk', 'app.kubernetes.io/instance': 'sms' } },
      podMetricsEndpoints: [
        {
          port: 'http',
          path: '/metrics',
          interval: '30s',
          authorization: { credentials: { name: 'peyk', key: 'metrics-token' } },
        },
      ],
    },
  });
});

test('the unit of systemd passes its own checker, where there is one', () => {
  const unit = read('ops/systemd/peyk.service');
  for (const wanted of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'Restart=always', 'StateDirectory=peyk'])
    expect(unit).toContain(wanted);
  const lines = unit.split('\n').filter(line => line !== '' && !/^(#|\[\w+\]$|[A-Z]\w+=)/.test(line));
  expect(lines).toEqual([]);
  if (!existsSync('/usr/bin/systemd-analyze')) return;
  execFileSync('/usr/bin/systemd-analyze', ['verify', '--man=no', join(root, 'ops/systemd/peyk.service')], {
    stdio: 'pipe',
  });
});
