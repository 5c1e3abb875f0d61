// A post that tells how much of it has left: fetch cannot tell, the older request object can, also in a worker.
import type { Answer } from '../../src/panel-api/contract/contract.ts';
import { panelHeader } from '../../src/panel-api/contract/facts.ts';

/** A share from 0 to 1. */
export type OnShare = (share: number) => void;

/** null where nobody answered, or something else than the program did, as a proxy with a page of its own. */
export function postWithProgress<T>(
  path: string,
  headers: Record<string, string>,
  body: Blob | string,
  onShare: OnShare,
): Promise<Answer<T> | null> {
  return new Promise(resolve => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    for (const [name, value] of Object.entries({ ...headers, [panelHeader.name]: panelHeader.value }))
      request.setRequestHeader(name, value);
    request.upload.onprogress = event => {
      if (event.lengthComputable) onShare(event.loaded / event.total);
    };
    request.onerror = () => resolve(null);
    request.onload = () => resolve(readAnswer<T>(request.responseText));
    request.send(body);
  });
}

export function readAnswer<T>(text: string): Answer<T> | null {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null && 'ok' in answer ? (answer as Answer<T>) : null;
  } catch {
    return null;
  }
}
