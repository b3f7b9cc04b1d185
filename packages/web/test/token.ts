import type { SignedIn } from '@bi-manager/contract'

/**
 * Returns a sign-in answer whose token expires at `end` (ms). Each has its own session id, so that
 * state kept per session does not leak into the next test. The signature is not checked.
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
