import type { SignedIn } from '@bi-manager/contract'

/**
 * A sign-in's answer whose token ends at the given instant (ms), of a session of its own: what a page keeps for a session
 * must not reach the next test. Only the server could sign it; nobody checks here.
 */
export const signedInUntil = (
  end: number,
  person: Partial<SignedIn> = {},
  jti: string = crypto.randomUUID(),
): SignedIn => ({
  access_token: `e30.${btoa(JSON.stringify({ exp: end / 1000, jti }))}.x`,
  token_type: 'Bearer',
  expires_in: 60,
  usuario_id: 1,
  client_id: 1,
  tipo: 'USER',
  nome: 'Ana Souza',
  pendencia: null,
  ...person,
})
