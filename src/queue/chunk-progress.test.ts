// What the progress file says of the chunks of a dispatcher that has ended.
import { closeSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ChunkProgress, openProgressFile } from './chunk-progress.ts';

const dispatcher = 7;
let file: number;
let progress: ChunkProgress;

beforeEach(() => {
  file = openProgressFile()!;
  progress = new ChunkProgress(file);
  progress.begin(dispatcher);
});
afterEach(() => closeSync(file));

test('the late end of an earlier lease of a chunk leaves what was written under the newer lease', () => {
  progress.note({ chunkId: 1, token: 10, mark: 5 });
  progress.note({ chunkId: 1, token: 11, mark: 3 });
  progress.ended([{ chunkId: 1, token: 10 }]);
  progress.note({ chunkId: 2, token: 12, mark: 8 });
  expect(new ChunkProgress(file).of(dispatcher)).toEqual([
    { chunkId: 1, token: 11, mark: 3 },
    { chunkId: 2, token: 12, mark: 8 },
  ]);
});

test('the record of an ended lease is used again, and a new dispatcher begins with none', () => {
  progress.note({ chunkId: 1, token: 10, mark: 5 });
  progress.ended([{ chunkId: 1, token: 10 }]);
  progress.note({ chunkId: 2, token: 12, mark: 8 });
  expect(progress.of(dispatcher)).toEqual([{ chunkId: 2, token: 12, mark: 8 }]);
  progress.begin(8);
  expect([progress.of(dispatcher), progress.of(8)]).toEqual([null, []]);
});
