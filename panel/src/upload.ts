// Sending a document, with how much of it has left: fetch cannot tell, the older request object can.
import { type Answer, panelHeader, type UploadedDocument } from '../../src/panel-api/contract.ts';
import { Fault, Unreachable } from './api.ts';

export function uploadDocument(file: File, onShare: (share: number) => void): Promise<UploadedDocument> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/panel/api/upload');
    request.setRequestHeader('Content-Type', file.type);
    request.setRequestHeader('X-Peyk-File-Name', encodeURIComponent(file.name));
    request.setRequestHeader(panelHeader.name, panelHeader.value);
    request.upload.onprogress = event => {
      if (event.lengthComputable) onShare(event.loaded / event.total);
    };
    request.onerror = () => reject(new Unreachable());
    request.onload = () => {
      const answer = readAnswer(request.responseText);
      if (!answer) reject(new Unreachable());
      else if (answer.ok) resolve(answer.data);
      else reject(new Fault(answer.error));
    };
    request.send(file);
  });
}

/** null where something else than the program answered, as a proxy with a page of its own. */
export function readAnswer(text: string): Answer<UploadedDocument> | null {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null && 'ok' in answer
      ? (answer as Answer<UploadedDocument>)
      : null;
  } catch {
    return null;
  }
}
