// How types are looked at, by a build and by `npm test`: what was found sound is remembered, so that looking twice costs a
// second instead of ten. By one checker: four (the default) each work the same large types
// out again, 33 s of a core for the panel where one takes 13.
import { join } from 'node:path';

export const oneChecker = ['--checkers', '1'];

export function tscArguments(project) {
  const memory = join('node_modules', '.cache', `${project.replaceAll('/', '-')}.tsbuildinfo`);
  const remembered = ['--incremental', '--tsBuildInfoFile', memory];
  return ['node_modules/typescript/bin/tsc', '-p', project, '--noEmit', ...oneChecker, ...remembered];
}
