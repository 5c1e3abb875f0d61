// Writes the failed files to FAILED_TEST_FILES, one `project file` a line; scripts/test.mjs runs them once more alone. Errors
// outside of tests belong to no file and are reported as such.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

export default class FailedFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const place = process.env.FAILED_TEST_FILES;
    if (!place) return;
    const failed = modules
      .filter(one => !one.ok())
      .map(one => `${one.project.name} ${relative(process.cwd(), one.moduleId)}`);
    if (errors.length > 0) failed.push('errors outside');
    writeFileSync(place, failed.map(line => `${line}\n`).join(''));
  }
}
