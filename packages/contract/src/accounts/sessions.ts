import { callsOf, namedObject } from '../calls/endpoint.ts'
import { z } from '../calls/zod.ts'
import { pendingSteps } from './pending-step.ts'

export const UserType = z.enum(['ADMIN', 'USER'])
export type UserType = z.infer<typeof UserType>

export const Credentials = namedObject('Credentials', {
  username: z
    .string('Usuário é obrigatório')
    .trim()
    .min(1, 'Usuário é obrigatório')
    .max(254)
    .regex(/^[^\0]*$/, 'Usuário inválido')
    .meta({ description: 'E-mail, ou nome quando só uma pessoa ativa o tem.' }),
  password: z.string('Senha obrigatório').min(1, 'Senha obrigatório').max(1024),
  codigo: z.string().max(60).nullish().meta({
    description: 'Segundo fator: sem ele, a resposta a uma conta que o tem é 401 `segundo_fator_necessario`.',
  }),
})
export type Credentials = z.infer<typeof Credentials>

const pendencia = z.enum(pendingSteps).nullable()

export const SignedIn = namedObject('SignedIn', {
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  /** Seconds until the token's absolute expiry. */
  expires_in: z.number().int().positive(),
  usuario_id: z.number().int(),
  client_id: z.number().int(),
  tipo: UserType,
  nome: z.string(),
  pendencia,
})
export type SignedIn = z.infer<typeof SignedIn>

/** The person of the session. */
export const CurrentUser = namedObject('CurrentUser', {
  idUsuario: z.number().int(),
  nomeUsuario: z.string(),
  emailUsuario: z.string(),
  tipoUsuario: UserType,
  idResponsavel: z.number().int(),
  acessoProntuario: z.boolean(),
  encarregadoDados: z.boolean(),
  pendencia,
  /** Whether the account has a password, besides or instead of a provider's sign-in. */
  temSenha: z.boolean(),
  /** ISO instants: the session's absolute end, and its end if no further call follows. */
  sessaoExpiraEm: z.iso.datetime(),
  sessaoOciosaEm: z.iso.datetime(),
})
export type CurrentUser = z.infer<typeof CurrentUser>

const { get, post } = callsOf({ tag: 'Sessões', permission: 'session:own' })

export const sessionsApi = {
  signIn: post('/usuarios/authorizer', 'Entra com usuário e senha', {
    permission: 'public',
    body: Credentials,
    response: { 200: SignedIn },
  }),
  signOut: post('/usuarios/sair', 'Encerra a sessão na hora'),
  current: get('/usuarios/sessao', 'Diz quem está na sessão e até quando ela vale', {
    response: { 200: CurrentUser },
  }),
}
