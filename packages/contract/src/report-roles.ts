import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { RecordId } from './ids.ts'

/** The provider's information on the security roles of a report's dataset. */
export const DatasetRoles = z
  .object({
    /** The dataset has roles. */
    temPapeis: z.boolean(),
    /** Without a role the provider shows no rows, so the portal issues no token. */
    exigePapeis: z.boolean(),
  })
  .meta({ id: 'DatasetRoles' })
export type DatasetRoles = z.infer<typeof DatasetRoles>

/** Signed with a key of the installation that the command and the portal both read. */
export const LostAccessQuestion = z
  .object({
    /** Report ids at the local report service. */
    relatorios: z.array(z.guid('Informe o id do relatório.')).min(1).max(5_000),
    /** Milliseconds since the epoch: the signature is valid for a minute. */
    instante: z.number().int(),
    assinatura: z.string().max(100),
  })
  .meta({ id: 'LostAccessQuestion' })
export type LostAccessQuestion = z.infer<typeof LostAccessQuestion>

/** Registered reports without a role, and the number of people who could open them. */
export const LostAccess = z
  .object({
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
  .meta({ id: 'LostAccess' })
export type LostAccess = z.infer<typeof LostAccess>

const tag = 'Relatórios'

export const reportRolesApi = {
  datasetRoles: endpoint({
    method: 'GET',
    url: '/usuarios/relatorio/:id/papeis',
    permission: 'reports:manage',
    tag,
    summary: 'Diz se o conjunto de dados do relatório tem papéis de segurança',
    params: z.object({ id: RecordId }),
    response: { 200: DatasetRoles },
  }),
  lostAccess: endpoint({
    method: 'POST',
    url: '/usuarios/relatorio/sem-papeis',
    permission: 'public',
    tag,
    summary:
      'Para npm run reports: relatórios sem papéis e quantas pessoas os abrem; só com a assinatura da instalação',
    body: LostAccessQuestion,
    response: { 200: LostAccess },
  }),
}
