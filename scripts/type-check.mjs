// Arguments of the type checker, for a build and for `npm test`. Results are cached, so that a second check costs one
// second instead of ten. One checker, because four (the default) each compute the same large types: 33 s of CPU for the
// panel instead of 13.
import { join } from 'node:path';

export const oneChecker = ['--checkers', '1'];

export function tscArguments(project) {
  const memory = join('node_modules', '.cache', `${project.replaceAll('/', '-')}.tsbuildinfo`);
  const remembered = ['--incremental', '--tsBuildInfoFile', memory];
  return ['node_modules/typescript/bin/tsc', '-p', project, '--noEmit', ...oneChecker, ...remembered];
}
