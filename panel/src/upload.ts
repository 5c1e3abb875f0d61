// Sending a document of an application.
import type { UploadedDocument } from '../../src/panel-api/contract.ts';
import { Fault, Unreachable } from './api.ts';
import { type OnShare, postWithProgress } from './progress-post.ts';

export async function uploadDocument(file: File, onShare: OnShare): Promise<UploadedDocument> {
  const headers = { 'Content-Type': file.type, 'X-Peyk-File-Name': encodeURIComponent(file.name) };
  const answer = await postWithProgress<UploadedDocument>('/panel/api/upload', headers, file, onShare);
  if (!answer) throw new Unreachable();
  if (!answer.ok) throw new Fault(answer.error);
  return answer.data;
}
