import { callsOf, namedObject } from '../calls/endpoint.ts'
import { idField, idList, lastDay } from '../calls/fields.ts'
import { listQuery } from '../calls/lists.ts'
import { z } from '../calls/zod.ts'
import { MenuReport, MenuWorkspace } from '../reports/menus.ts'

/** A report in a list of checkboxes. */
export const ReportChoice = namedObject('ReportChoice', {
  idRelatorio: z.number().int(),
  nomeRelatorio: z.string(),
  idGrupoRelatorio: z.number().int(),
  nomeGrupo: z.string(),
  isChecked: z.boolean(),
  /** The last day (yyyy-mm-dd) of a direct grant; null: no end. */
  validoAte: z.string().nullable().default(null),
})
export type ReportChoice = z.infer<typeof ReportChoice>

/** A report granted to a user directly. */
export const Grant = namedObject('Grant', {
  idRelatorio: z.number().int(),
  idUsuario: z.number().int(),
  nomeRelatorio: z.string(),
  idGrupoRelatorio: z.number().int(),
  /** The last day (yyyy-mm-dd, America/Sao_Paulo) on which it counts; null: no end. */
  validoAte: z.string().nullable(),
})
export type Grant = z.infer<typeof Grant>

const GrantDraft = namedObject('GrantDraft', {
  idRelatorio: idField(),
  idUsuario: idField(),
  validoAte: lastDay.optional().meta({
    description:
      'Último dia em que vale. Sem ele, uma permissão que já existe mantém o seu prazo, e uma vencida volta a valer sem prazo.',
  }),
})

const GrantKey = namedObject('GrantKey', { idRelatorio: z.number().int(), idUsuario: z.number().int() })

/** The whole set, or the set within one workspace. */
const GrantSet = namedObject('GrantSet', {
  idGrupoRelatorio: idField().optional(),
  idRelatorios: idList(20_000),
  /** New last days of reports of the set; the other grants keep theirs. */
  prazos: z
    .array(z.object({ idRelatorio: idField(), validoAte: lastDay }))
    .max(20_000)
    .default([]),
})

/** Why a user can view a report, or what is missing. */
export const AccessExplanation = namedObject('AccessExplanation', {
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
export type AccessExplanation = z.infer<typeof AccessExplanation>

const { get, post, put, remove } = callsOf({ tag: 'Permissões', permission: 'grants:manage' })

export const grantsApi = {
  listReports: get('/usuarios/relatorio-usuario', 'Todos os relatórios, para marcar', {
    query: listQuery(['nomeRelatorio', 'nomeGrupo']),
    response: { 200: z.array(ReportChoice) },
  }),
  listOfUser: get(
    '/usuarios/relatorio-usuario/:idUsuario',
    'Permissões diretas de um usuário; as próprias, para quem não é ADMIN',
    { permission: 'grants:read', response: { 200: z.array(Grant) } },
  ),
  listOfGroup: get(
    '/usuarios/relatorio-usuario/:idUsuario/:idGrupoRelatorio',
    'Relatórios de um workspace, marcados os liberados para o usuário',
    { response: { 200: z.array(ReportChoice) } },
  ),
  create: post('/usuarios/relatorio-usuario', 'Libera um relatório para um usuário; de novo, responde 200', {
    body: GrantDraft,
    response: { 201: GrantKey, 200: GrantKey },
  }),
  removeAll: remove(
    '/usuarios/relatorio-usuario/:idUsuario',
    'Retira todas as permissões diretas de um usuário',
  ),
  replace: put(
    '/usuarios/relatorio-usuario/:idUsuario',
    'Troca de uma vez as permissões do usuário, todas ou as de um workspace',
    { body: GrantSet, response: { 200: z.array(Grant) } },
  ),
  explain: get(
    '/usuarios/:idUsuario/acesso/:idRelatorio',
    'Por que este usuário vê, ou não, este relatório',
    { response: { 200: AccessExplanation } },
  ),
  menuOf: get('/usuarios/:idUsuario/menus', 'O menu como este usuário o vê (só leitura, auditado)', {
    response: { 200: z.array(MenuWorkspace) },
  }),
  menuReportsOf: get(
    '/usuarios/:idUsuario/menus/:idGrupoRelatorio',
    'Os relatórios de um workspace, no menu como este usuário o vê',
    { response: { 200: z.array(MenuReport) } },
  ),
}
