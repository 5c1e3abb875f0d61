// Puts a refusal of the server beside the field it concerns; what belongs to no field of the form is returned.
import { faultOf, sentenceOf } from '../api.ts';
import { inOurs } from '../text/language.ts';

type FormLike = { values: object; setFieldError: (field: never, message: string) => void };

export function placeFault(form: FormLike, error: unknown): string | null {
  const fault = faultOf(error);
  if (fault?.field && fault.field in form.values) {
    form.setFieldError(fault.field as never, inOurs(fault));
    return null;
  }
  return sentenceOf(error);
}
