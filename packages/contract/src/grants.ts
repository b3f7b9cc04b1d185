import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idField, idList } from './fields.ts'
import { RecordId } from './ids.ts'
import { listQuery } from './lists.ts'
import { MenuReport, MenuWorkspace } from './menus.ts'

/** A report in a list of checkboxes. */
export const ReportChoice = z
  .object({
    idRelatorio: z.number().int(),
    nomeRelatorio: z.string(),
    idGrupoRelatorio: z.number().int(),
    nomeGrupo: z.string(),
    isChecked: z.boolean(),
  })
  .meta({ id: 'ReportChoice' })
export type ReportChoice = z.infer<typeof ReportChoice>

/** A report granted to a user directly. */
export const Grant = z
  .object({
    idRelatorio: z.number().int(),
    idUsuario: z.number().int(),
    nomeRelatorio: z.string(),
    idGrupoRelatorio: z.number().int(),
  })
  .meta({ id: 'Grant' })
export type Grant = z.infer<typeof Grant>

export const GrantDraft = z
  .object({ idRelatorio: idField(), idUsuario: idField() })
  .meta({ id: 'GrantDraft' })
export type GrantDraft = z.infer<typeof GrantDraft>

const GrantKey = z
  .object({ idRelatorio: z.number().int(), idUsuario: z.number().int() })
  .meta({ id: 'GrantKey' })

/** The whole set, or the set within one workspace. */
export const GrantSet = z
  .object({ idGrupoRelatorio: idField().optional(), idRelatorios: idList(20_000) })
  .meta({ id: 'GrantSet' })
export type GrantSet = z.infer<typeof GrantSet>

/** Why a user can view a report, or what is missing. */
export const AccessExplanation = z
  .object({
    pode: z.boolean(),
    /** Every sufficient reason. */
    motivos: z.array(
      z.object({
        tipo: z.enum(['administrador', 'permissao', 'perfil']),
        descricao: z.string(),
        idPerfil: z.number().int().optional(),
      }),
    ),
    /** Portuguese sentences: what prevents access, and what would grant it. */
    faltas: z.array(z.string()),
    /** Without a proven e-mail no identity is sent: reports with row-level security do not open. */
    emailComprovado: z.boolean(),
    /** The effective identity in the embed token; null for reports without row-level security. */
    identidade: z
      .object({ usuario: z.string(), papeis: z.array(z.string()), customData: z.string().nullable() })
      .nullable(),
  })
  .meta({ id: 'AccessExplanation' })
export type AccessExplanation = z.infer<typeof AccessExplanation>

const tag = 'Permissões'
const permission = 'grants:manage'
const params = z.object({ idUsuario: RecordId })

export const grantsApi = {
  listReports: endpoint({
    method: 'GET',
    url: '/usuarios/relatorio-usuario',
    permission,
    tag,
    summary: 'Todos os relatórios, para marcar',
    query: listQuery(['nomeRelatorio', 'nomeGrupo']),
    response: { 200: z.array(ReportChoice) },
  }),
  listOfUser: endpoint({
    method: 'GET',
    url: '/usuarios/relatorio-usuario/:idUsuario',
    permission: 'grants:read',
    tag,
    summary: 'Permissões diretas de um usuário; as próprias, para quem não é ADMIN',
    params,
    response: { 200: z.array(Grant) },
  }),
  listOfGroup: endpoint({
    method: 'GET',
    url: '/usuarios/relatorio-usuario/:idUsuario/:idGrupoRelatorio',
    permission,
    tag,
    summary: 'Relatórios de um workspace, marcados os liberados para o usuário',
    params: z.object({ idUsuario: RecordId, idGrupoRelatorio: RecordId }),
    response: { 200: z.array(ReportChoice) },
  }),
  create: endpoint({
    method: 'POST',
    url: '/usuarios/relatorio-usuario',
    permission,
    tag,
    summary: 'Libera um relatório para um usuário; de novo, responde 200',
    body: GrantDraft,
    response: { 201: GrantKey, 200: GrantKey },
  }),
  removeAll: endpoint({
    method: 'DELETE',
    url: '/usuarios/relatorio-usuario/:idUsuario',
    permission,
    tag,
    summary: 'Retira todas as permissões diretas de um usuário',
    params,
    response: { 204: z.void() },
  }),
  replace: endpoint({
    method: 'PUT',
    url: '/usuarios/relatorio-usuario/:idUsuario',
    permission,
    tag,
    summary: 'Troca de uma vez as permissões do usuário, todas ou as de um workspace',
    params,
    body: GrantSet,
    response: { 200: z.array(Grant) },
  }),
  explain: endpoint({
    method: 'GET',
    url: '/usuarios/:idUsuario/acesso/:idRelatorio',
    permission,
    tag,
    summary: 'Por que este usuário vê, ou não, este relatório',
    params: z.object({ idUsuario: RecordId, idRelatorio: RecordId }),
    response: { 200: AccessExplanation },
  }),
  menuOf: endpoint({
    method: 'GET',
    url: '/usuarios/:idUsuario/menus',
    permission,
    tag,
    summary: 'O menu como este usuário o vê (só leitura, auditado)',
    params,
    response: { 200: z.array(MenuWorkspace) },
  }),
  menuReportsOf: endpoint({
    method: 'GET',
    url: '/usuarios/:idUsuario/menus/:idGrupoRelatorio',
    permission,
    tag,
    summary: 'Os relatórios de um workspace, no menu como este usuário o vê',
    params: z.object({ idUsuario: RecordId, idGrupoRelatorio: RecordId }),
    response: { 200: z.array(MenuReport) },
  }),
}
