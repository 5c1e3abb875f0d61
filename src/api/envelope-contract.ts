// The envelope around every operation's own members, as schemas.
import { about, type TObject, type TSchema, Type } from '../contract/type.ts';
import { type StatusCode, statusTexts } from '../status.ts';
import type { Operation } from './operations.ts';

export const authentication = Type.Union(
  [
    Type.Object({
      key: Type.String({ ...about('API key, from the panel', 'API anahtarı, panelden') }),
      hash: Type.String({ ...about('API hash, used as issued', 'API hash, verildiği gibi kullanılır') }),
    }),
    Type.Object({
      username: Type.String({
        ...about('old login, off unless the owner switched it on', 'eski giriş, hesap sahibi açmadıkça kapalıdır'),
      }),
      password: Type.String(),
    }),
  ],
  { ...about('Credentials travel in the body of every call.', 'Kimlik bilgileri her çağrının gövdesinde gider.') },
);

export function requestSchema({ request }: Pick<Operation, 'request'>, credentials: TSchema = authentication): TObject {
  return Type.Object({ request: Type.Object({ authentication: credentials, ...request.properties }) });
}

export function successSchema({ answer }: Pick<Operation, 'answer'>): TObject {
  return Type.Object({ response: Type.Object({ status: statusSchema(200), ...answer?.properties }) });
}

/** 422 may name fields; 469 has two texts, so the text is described but not fixed. */
export function refusalSchema(code: StatusCode): TObject {
  const errors = Type.Map(Type.String(), { ...about('field → Turkish text', 'alan → Türkçe açıklama') });
  return Type.Object({
    response: Type.Object({
      status: statusSchema(code),
      ...(code === 422 ? { errors: Type.Optional(errors) } : {}),
    }),
  });
}

function statusSchema(code: StatusCode): TObject {
  return Type.Object({ code: Type.Literal(code), message: Type.String({ examples: [statusTexts[code]] }) });
}
