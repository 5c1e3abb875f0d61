// Sending a document of an application.
import type { UploadedDocument } from '../../src/panel-api/contract/shapes.ts';
import { Fault, Unreachable } from './api.ts';
import { type OnShare, postWithProgress } from './progress-post.ts';

/** `kind`: key of the document asked for that it is; '' for another one. */
export async function uploadDocument(file: File, kind: string, onShare: OnShare): Promise<UploadedDocument> {
  const headers = {
    'Content-Type': file.type,
    'X-Peyk-File-Name': encodeURIComponent(file.name),
    'X-Peyk-Document-Kind': kind,
  };
  const answer = await postWithProgress<UploadedDocument>('/panel/api/upload', headers, file, onShare);
  if (!answer) throw new Unreachable();
  if (!answer.ok) throw new Fault(answer.error);
  return answer.data;
}
