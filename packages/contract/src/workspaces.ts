import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { entity, type Fields } from './entity.ts'
import { guidField, idField, requiredLine } from './fields.ts'
import { listQuery } from './lists.ts'
import { recordCalls } from './record-calls.ts'

/** A registered report group. `idGrupo` is its id at the BI provider. */
export const Workspace = z
  .object({
    idGrupoRelatorio: z.number().int(),
    nomeGrupo: z.string(),
    idGrupo: z.string(),
    idPowerBi: z.number().int(),
    nomePowerBi: z.string(),
    versao: z.number().int(),
  })
  .meta({ id: 'Workspace' })
export type Workspace = z.infer<typeof Workspace>

export const WorkspaceDraft = z
  .object({
    nomeGrupo: requiredLine(120),
    idGrupo: guidField('Escolha um grupo ou digite o id dele (GUID).'),
    idPowerBi: idField('Escolha um Power Bi.'),
  })
  .meta({ id: 'WorkspaceDraft' })
export type WorkspaceDraft = z.infer<typeof WorkspaceDraft>

/** A workspace in a dropdown of groups. */
export const GroupOption = z
  .object({
    idGrupoRelatorio: z.number().int(),
    nomeGrupo: z.string(),
    idGrupo: z.string(),
    quantidadeRelatorios: z.number().int(),
  })
  .meta({ id: 'GroupOption' })
export type GroupOption = z.infer<typeof GroupOption>

export const WorkspaceOrder = ['nomeGrupo', 'idGrupo', 'nomePowerBi'] as const

export const workspaceEntity = entity({
  kind: 'workspace',
  title: 'Workspace',
  list: 'workspaces',
  listTitle: 'Lista de workspaces',
  path: '/usuarios/workspace',
  permission: 'workspaces:manage',
  table: 'grupoRelatorio',
  id: 'idGrupoRelatorio',
  name: 'nomeGrupo',
  hint: 'nomePowerBi',
  actions: {
    'workspace.created': 'Cadastrou um workspace',
    'workspace.updated': 'Editou um workspace',
    'workspace.deleted': 'Excluiu um workspace',
  },
  references: ['idGrupoRelatorio'],
  unique: {
    constraint: 'grupo_relatorio_externo_unico',
    problem: 'workspace_ja_cadastrado',
    field: 'idGrupo',
  },
  pages: { list: '/workspace', form: '/Registerworkspace' },
  menu: { title: 'Workspaces', phoneTitle: 'Workspaces', list: 'Listar' },
  fields: {
    nomeGrupo: { label: 'Nome do Workspace', csv: true, control: 'text', privacy: 'none' },
    idGrupo: { label: 'Grupo', column: 'Grupo ID', csv: true, control: 'choice', privacy: 'none' },
    idPowerBi: { label: 'Power Bi', control: 'choice', privacy: 'none' },
    nomePowerBi: { label: 'Powerbi', column: 'Power Bi', csv: true, isDerived: true, privacy: 'none' },
  } satisfies Fields<Workspace, 'idGrupoRelatorio'>,
})

const tag = 'Workspaces'
const { permission } = workspaceEntity
const query = listQuery(WorkspaceOrder)

export const workspacesApi = {
  ...recordCalls(workspaceEntity, {
    tag,
    summaries: {
      list: 'Workspaces',
      get: 'Um workspace',
      create: 'Cadastra um workspace',
      update: 'Edita um workspace',
      remove: 'Exclui um workspace sem relatórios',
    },
    query,
    record: Workspace,
    draft: WorkspaceDraft,
    update: WorkspaceDraft,
  }),
  exportCsv: endpoint({
    method: 'GET',
    url: '/usuarios/workspace.csv',
    permission,
    tag,
    summary: 'Workspaces em CSV',
    query: query.pick({ busca: true, ordem: true }),
    contentType: 'text/csv',
    response: { 200: z.string() },
  }),
  groupOptions: endpoint({
    method: 'GET',
    url: '/grupo-permissao',
    permission,
    tag,
    summary: 'Workspaces para os campos de escolha',
    query: listQuery(['nomeGrupo']),
    response: { 200: z.array(GroupOption) },
  }),
}
