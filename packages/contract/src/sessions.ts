import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import type { ProblemCode } from './problems.ts'

export const UserType = z.enum(['ADMIN', 'USER'])
export type UserType = z.infer<typeof UserType>

export const Credentials = z
  .object({
    username: z
      .string('Usuário é obrigatório')
      .trim()
      .min(1, 'Usuário é obrigatório')
      .max(254)
      .regex(/^[^\0]*$/, 'Usuário inválido')
      .meta({ description: 'E-mail, ou nome quando só uma pessoa ativa o tem.' }),
    password: z.string('Senha obrigatório').min(1, 'Senha obrigatório').max(1024),
    codigo: z.string().max(60).nullish().meta({
      description:
        'Segundo fator: sem ele, a resposta a uma conta que o tem é 401 `segundo_fator_necessario`.',
    }),
  })
  .meta({ id: 'Credentials' })
export type Credentials = z.infer<typeof Credentials>

/**
 * What the portal asks of the person first. `senha_provisoria`: the password was generated at the installation. `trocar_senha`: an
 * administrator typed the password; the person may keep it for now.
 */
export const Pending = z.enum(['segundo_fator', 'senha_provisoria', 'trocar_senha'])
export type Pending = z.infer<typeof Pending>

/** Until the person has done one of these, the server refuses every call that is not `session:own`. */
export const BlockingPending = Pending.exclude(['trocar_senha'])
export type BlockingPending = z.infer<typeof BlockingPending>

/** The code of that refusal. */
export const pendingProblems = {
  segundo_fator: 'segundo_fator_obrigatorio',
  senha_provisoria: 'troca_de_senha_obrigatoria',
} as const satisfies Record<BlockingPending, ProblemCode>

export const isBlocking = (pendencia: Pending | null | undefined): pendencia is BlockingPending =>
  pendencia != null && pendencia !== 'trocar_senha'

export const SignedIn = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    /** Seconds until the token's absolute end. */
    expires_in: z.number().int().positive(),
    usuario_id: z.number().int(),
    client_id: z.number().int(),
    tipo: UserType,
    nome: z.string(),
    pendencia: Pending.nullable(),
  })
  .meta({ id: 'SignedIn' })
export type SignedIn = z.infer<typeof SignedIn>

/** The person behind the session, as the portal shows them. */
export const CurrentUser = z
  .object({
    idUsuario: z.number().int(),
    nomeUsuario: z.string(),
    emailUsuario: z.string(),
    tipoUsuario: UserType,
    idResponsavel: z.number().int(),
    acessoProntuario: z.boolean(),
    encarregadoDados: z.boolean(),
    pendencia: Pending.nullable(),
    /** Whether the person has an own password, besides or instead of a provider's sign-in. */
    temSenha: z.boolean(),
    /** ISO instants: the session's absolute end, and its end if nothing is called from now on. */
    sessaoExpiraEm: z.iso.datetime(),
    sessaoOciosaEm: z.iso.datetime(),
  })
  .meta({ id: 'CurrentUser' })
export type CurrentUser = z.infer<typeof CurrentUser>

export const sessionsApi = {
  signIn: endpoint({
    method: 'POST',
    url: '/usuarios/authorizer',
    permission: 'public',
    tag: 'Sessões',
    summary: 'Entra com usuário e senha',
    body: Credentials,
    response: { 200: SignedIn },
  }),
  signOut: endpoint({
    method: 'POST',
    url: '/usuarios/sair',
    permission: 'session:own',
    tag: 'Sessões',
    summary: 'Encerra a sessão na hora',
    response: { 204: z.void() },
  }),
  current: endpoint({
    method: 'GET',
    url: '/usuarios/sessao',
    permission: 'session:own',
    tag: 'Sessões',
    summary: 'Diz quem está na sessão e até quando ela vale',
    response: { 200: CurrentUser },
  }),
}
