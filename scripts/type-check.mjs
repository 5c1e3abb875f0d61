// How types are looked at, by the build and by `npm test`: what was found sound is remembered, so that looking twice (npm ci
// builds, npm test checks) costs a second instead of ten.
import { join } from 'node:path';

export function tscArguments(project) {
  const memory = join('node_modules', '.cache', `${project.replaceAll('/', '-')}.tsbuildinfo`);
  return ['node_modules/typescript/bin/tsc', '-p', project, '--noEmit', '--incremental', '--tsBuildInfoFile', memory];
}
