import { callsOf, namedObject } from './endpoint.ts'
import type { Actor } from './permissions.ts'
import { z } from './zod.ts'

/** The people of whom the installation requires a second factor. */
export const SecondFactorPolicy = z.enum([
  'opcional',
  'administradores',
  'prontuarios',
  'administradores_e_prontuarios',
  'todos',
])
export type SecondFactorPolicy = z.infer<typeof SecondFactorPolicy>

/** The policy that the portal proposes until an administrator chooses one. */
export const proposedPolicy = 'administradores_e_prontuarios' satisfies SecondFactorPolicy

/** Returns whether the policy requires a second factor of this person. */
export const demandsSecondFactor = (
  policy: SecondFactorPolicy,
  { tipo, acessoProntuario }: Pick<Actor, 'tipo' | 'acessoProntuario'>,
): boolean => {
  const isAdmin = tipo === 'ADMIN'
  const demanded: Record<SecondFactorPolicy, boolean> = {
    opcional: false,
    administradores: isAdmin,
    prontuarios: acessoProntuario,
    administradores_e_prontuarios: isAdmin || acessoProntuario,
    todos: true,
  }
  return demanded[policy]
}

const people = z.number().int()

export const SecuritySettings = namedObject('SecuritySettings', {
  segundoFator: SecondFactorPolicy,
  /** Whether an administrator has chosen the policy, even 'opcional'. */
  segundoFatorDecidido: z.boolean(),
  /** Active people with a password but no second factor whom each policy would affect. */
  semSegundoFator: z.object({
    administradores: people,
    prontuarios: people,
    administradores_e_prontuarios: people,
    todos: people,
  }),
  versao: z.number().int(),
})
export type SecuritySettings = z.infer<typeof SecuritySettings>

const { get, put } = callsOf({ tag: 'Segurança', permission: 'settings:manage' })

export const securitySettingsApi = {
  get: get('/configuracao/seguranca', 'As regras de segurança da instalação', {
    response: { 200: SecuritySettings },
  }),
  update: put('/configuracao/seguranca', 'Muda as regras de segurança da instalação', {
    body: namedObject('SecuritySettingsUpdate', { segundoFator: SecondFactorPolicy }),
    response: { 200: SecuritySettings },
  }),
}
