import type { TestApp } from '../test-app.ts'
import { type OidcProvider, type ProviderPerson, signInAtProvider } from './oidc-provider.ts'

export const publicUrl = 'http://portal.exemplo.com.br'
export const redirectUri = `${publicUrl}/entrar/oidc`

export const maria: ProviderPerson = {
  sub: 'maria',
  name: 'Maria José',
  email: 'maria@exemplo.com.br',
  email_verified: true,
}

/** The two calls of a sign-in, with the provider's pages between them. */
export const signInAt = (portal: TestApp, provider: OidcProvider) => {
  const start = async () => (await portal.anonymous.post('/login/oidc/inicio')).body
  const finish = (body: unknown) => portal.anonymous.post('/login/oidc', body)
  /** Signs in at the provider as this person, and returns the body for `finish`. */
  const comeBack = async (person: ProviderPerson = maria) => {
    provider.people.set(person.sub, person)
    const { url, ...attempt } = await start()
    return { ...attempt, retorno: await signInAtProvider(url, person.sub, redirectUri) }
  }
  return { start, finish, comeBack, enter: async (person = maria) => finish(await comeBack(person)) }
}
export type Entrance = ReturnType<typeof signInAt>

/** Returns the audit rows of this action, oldest first. */
export const auditOf = ({ db }: TestApp, acao: string) =>
  db
    .selectFrom('auditoria')
    .select(['idUsuario', 'objeto', 'detalhes'])
    .where('acao', '=', acao)
    .orderBy('idAuditoria')
    .execute()
