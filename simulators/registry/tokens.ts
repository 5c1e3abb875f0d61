// Tokens of the simulator: a signed text with its expiry, so that nothing is stored and a token survives a restart of the
// program. A refresh token is valid once; used ones are remembered, at most `usedMax`.
import { createHmac, randomUUID } from 'node:crypto';
import type { Settings } from './settings.ts';

// Not a secret: the simulator only has to recognise its own tokens.
const key = 'registry-simulator';
const usedMax = 10_000;

type Claims = { use: 'access' | 'refresh'; user: string; exp: number; jti: string };
type OauthFault = { error: string; error_description: string };
type TokenBody = {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  refresh_expires_in: number;
  token_type: 'bearer';
};
export type Tokens = ReturnType<typeof createTokens>;

function sign(claims: Claims): string {
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${payload}.${createHmac('sha256', key).update(payload).digest('base64url')}`;
}

function open(token: unknown, nowMs: number): Claims | null {
  if (typeof token !== 'string' || token.length > 2_000) return null;
  const [payload = '', signature] = token.split('.');
  if (createHmac('sha256', key).update(payload).digest('base64url') !== signature) return null;
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
  return claims.exp > nowMs ? claims : null;
}

const fault = (error: string, error_description: string): OauthFault => ({ error, error_description });

/** `login` null = any user name and password is accepted. */
export function createTokens(settings: Settings, login: { username: string; password: string } | null) {
  const used = new Set<string>();

  function issue(user: string, nowMs: number): TokenBody {
    const { tokenLifetimeMs, refreshLifetimeMs } = settings;
    return {
      access_token: sign({ use: 'access', user, exp: nowMs + tokenLifetimeMs, jti: randomUUID() }),
      refresh_token: sign({ use: 'refresh', user, exp: nowMs + refreshLifetimeMs, jti: randomUUID() }),
      expires_in: Math.floor(tokenLifetimeMs / 1000),
      refresh_expires_in: Math.floor(refreshLifetimeMs / 1000),
      token_type: 'bearer',
    };
  }

  function byPassword(body: Record<string, unknown>, nowMs: number): TokenBody | OauthFault {
    const { username, password } = body;
    if (typeof username !== 'string' || typeof password !== 'string' || username === '' || password === '')
      return fault('invalid_request', 'Kullanıcı adı veya parola eksik');
    if (login !== null && (username !== login.username || password !== login.password))
      return fault('invalid_grant', 'Kullanıcı adı veya parola hatalı');
    return issue(username, nowMs);
  }

  function byRefresh(body: Record<string, unknown>, nowMs: number): TokenBody | OauthFault {
    const claims = open(body['refresh_token'], nowMs);
    if (claims?.use !== 'refresh' || used.has(claims.jti)) return fault('invalid_grant', 'Yenileme jetonu geçersiz');
    if (used.size >= usedMax) used.delete(used.values().next().value ?? '');
    used.add(claims.jti);
    return issue(claims.user, nowMs);
  }

  return {
    grant(body: Record<string, unknown>, nowMs: number): TokenBody | OauthFault {
      if (body['grant_type'] === undefined) return fault('invalid_request', 'grant_type eksik');
      if (body['grant_type'] === 'password') return byPassword(body, nowMs);
      if (body['grant_type'] === 'refresh_token') return byRefresh(body, nowMs);
      return fault('invalid_request', 'grant_type bilinmiyor');
    },
    accepts(authorization: string | undefined, nowMs: number): boolean {
      return open(/^Bearer (\S+)$/i.exec(authorization ?? '')?.[1], nowMs)?.use === 'access';
    },
  };
}
