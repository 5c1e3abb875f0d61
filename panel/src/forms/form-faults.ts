// Shows a refusal of the server at the field it concerns; returns the sentence if it concerns no field of the form.
import { faultOf, sentenceOf } from '../api.ts';
import { inOurs } from '../text/language.ts';
import { focusFault } from './focus-fault.ts';

type FormLike = { values: object; setFieldError: (field: string, message: string) => void };

export function placeFault(form: FormLike, error: unknown): string | null {
  const fault = faultOf(error);
  if (fault?.field && fault.field in form.values) {
    form.setFieldError(fault.field, inOurs(fault));
    focusFault(document);
    return null;
  }
  return sentenceOf(error);
}
