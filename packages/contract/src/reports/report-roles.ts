import { callsOf, namedObject } from '../calls/endpoint.ts'
import { z } from '../calls/zod.ts'

/** The provider's information on the security roles of a report's dataset. */
export const DatasetRoles = namedObject('DatasetRoles', {
  /** The dataset has roles. */
  temPapeis: z.boolean(),
  /** Without a role the provider shows no rows, so the portal issues no token. */
  exigePapeis: z.boolean(),
  /** Without an identity the portal issues no token; roles are not required unless it says so. */
  exigeIdentidade: z.boolean(),
})
export type DatasetRoles = z.infer<typeof DatasetRoles>

/** Signed with a key of the installation that the command and the portal both read. */
export const LostAccessQuestion = namedObject('LostAccessQuestion', {
  /** Report ids at the local report service. */
  relatorios: z.array(z.guid('Informe o id do relatório.')).min(1).max(5_000),
  /** Milliseconds since the epoch: the signature is valid for a minute. */
  instante: z.number().int(),
  assinatura: z.string().max(100),
})
export type LostAccessQuestion = z.infer<typeof LostAccessQuestion>

/** Registered reports without a role, and the number of people who could open them. */
export const LostAccess = namedObject('LostAccess', {
  relatorios: z.array(
    z.object({
      idRelatorio: z.number().int(),
      reportId: z.string(),
      nomeRelatorio: z.string(),
      nomeGrupo: z.string(),
      pessoas: z.number().int(),
    }),
  ),
  /** Counts each person once. */
  pessoas: z.number().int(),
})
export type LostAccess = z.infer<typeof LostAccess>

const { get, post } = callsOf({ tag: 'Relatórios', permission: 'reports:manage' })

export const reportRolesApi = {
  datasetRoles: get(
    '/usuarios/relatorio/:id/papeis',
    'Diz se o conjunto de dados do relatório tem papéis de segurança',
    { response: { 200: DatasetRoles } },
  ),
  lostAccess: post(
    '/usuarios/relatorio/sem-papeis',
    'Para npm run reports: relatórios sem papéis e quantas pessoas os abrem; só com a assinatura da instalação',
    { permission: 'public', body: LostAccessQuestion, response: { 200: LostAccess } },
  ),
}
