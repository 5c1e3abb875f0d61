// The interface between a process of a node (not the first) and its role.

import type { Log } from '../log.ts';
import type { Config } from '../settings/config.ts';
import type { ChildTask, FromChild, ToChild } from './messages.ts';

export type Child = {
  task: ChildTask;
  config: Config;
  log: Log;
  send(message: FromChild): void;
  onMessage(listener: (message: ToChild) => void): void;
};

export type Running = { port?: number; stop(): Promise<void> };
