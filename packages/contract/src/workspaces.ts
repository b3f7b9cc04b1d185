import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { entity, type Fields } from './entity.ts'
import { guidField, idField, requiredLine } from './fields.ts'
import { RecordId } from './ids.ts'
import { listQuery } from './lists.ts'

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
const permission = 'workspaces:manage'
const params = z.object({ id: RecordId })
const query = listQuery(WorkspaceOrder)

export const workspacesApi = {
  list: endpoint({
    method: 'GET',
    url: '/usuarios/workspace',
    permission,
    tag,
    summary: 'Workspaces',
    query,
    response: { 200: z.array(Workspace) },
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
  get: endpoint({
    method: 'GET',
    url: '/usuarios/workspace/:id',
    permission,
    tag,
    summary: 'Um workspace',
    params,
    response: { 200: Workspace },
  }),
  create: endpoint({
    method: 'POST',
    url: '/usuarios/workspace',
    permission,
    tag,
    summary: 'Cadastra um workspace',
    body: WorkspaceDraft,
    response: { 201: Workspace },
  }),
  update: endpoint({
    method: 'PUT',
    url: '/usuarios/workspace/:id',
    permission,
    tag,
    summary: 'Edita um workspace',
    params,
    body: WorkspaceDraft,
    response: { 200: Workspace },
  }),
  remove: endpoint({
    method: 'DELETE',
    url: '/usuarios/workspace/:id',
    permission,
    tag,
    summary: 'Exclui um workspace sem relatórios',
    params,
    response: { 204: z.void() },
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
