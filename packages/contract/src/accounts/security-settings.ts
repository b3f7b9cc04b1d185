import { callsOf, namedObject } from '../calls/endpoint.ts'
import { networks } from '../calls/fields.ts'
import type { Actor } from '../calls/permissions.ts'
import { z } from '../calls/zod.ts'

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

/** Networks of one role that the settings hold. */
export const NETWORKS_A_ROLE = 50

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
  /** Whether the search also finds the names of reports that a person cannot open. */
  buscaSemAcesso: z.boolean(),
  /** Where people of each role may use the portal; empty: everywhere. */
  redesAdmin: z.array(z.string()),
  redesUsuario: z.array(z.string()),
  /** False: the operator has switched the networks off (SIGN_IN_NETWORKS). */
  redesValem: z.boolean(),
  /** The caller's address, as the portal sees it. */
  enderecoAtual: z.string(),
  versao: z.number().int(),
})
export type SecuritySettings = z.infer<typeof SecuritySettings>

/** Fields left out stay unchanged. */
export const SecuritySettingsUpdate = z
  .object({
    segundoFator: SecondFactorPolicy.optional(),
    buscaSemAcesso: z.boolean().optional(),
    redesAdmin: networks(NETWORKS_A_ROLE).optional(),
    redesUsuario: networks(NETWORKS_A_ROLE).optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'Informe o que muda.')
  .meta({ id: 'SecuritySettingsUpdate' })
export type SecuritySettingsUpdate = z.infer<typeof SecuritySettingsUpdate>

const { get, put } = callsOf({ tag: 'Segurança', permission: 'settings:manage' })

export const securitySettingsApi = {
  get: get('/configuracao/seguranca', 'As regras de segurança da instalação', {
    response: { 200: SecuritySettings },
  }),
  update: put('/configuracao/seguranca', 'Muda as regras de segurança da instalação', {
    reauthentication: {
      if: 'dispensa alguém do segundo fator, aceita mais redes, ou mostra relatórios a quem não tem acesso',
    },
    body: SecuritySettingsUpdate,
    response: { 200: SecuritySettings },
  }),
}
