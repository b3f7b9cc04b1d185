import { callsOf, namedObject } from '../calls/endpoint.ts'
import { entity, type Fields } from '../calls/entity.ts'
import { entityCalls } from '../calls/entity-calls.ts'
import { guidField, idField, requiredLine } from '../calls/fields.ts'
import { EntityId } from '../calls/ids.ts'
import { listQuery } from '../calls/lists.ts'
import { z } from '../calls/zod.ts'

/** A registered report group. `idGrupo` is its id at the BI provider. */
export const Workspace = namedObject('Workspace', {
  idGrupoRelatorio: z.number().int(),
  nomeGrupo: z.string(),
  idGrupo: z.string(),
  idPowerBi: z.number().int(),
  nomePowerBi: z.string(),
  versao: z.number().int(),
})
export type Workspace = z.infer<typeof Workspace>

/** The longest name of a workspace; Power BI's own may be longer. */
export const MAX_WORKSPACE_NAME = 120

export const WorkspaceDraft = namedObject('WorkspaceDraft', {
  nomeGrupo: requiredLine(MAX_WORKSPACE_NAME),
  idGrupo: guidField('Escolha um grupo ou digite o id dele (GUID).'),
  idPowerBi: idField('Escolha um Power Bi.'),
})
export type WorkspaceDraft = z.infer<typeof WorkspaceDraft>

/** A workspace in a dropdown of groups. */
const GroupOption = namedObject('GroupOption', {
  idGrupoRelatorio: z.number().int(),
  nomeGrupo: z.string(),
  idGrupo: z.string(),
  quantidadeRelatorios: z.number().int(),
})

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
  dependants: [
    {
      kind: 'relatorio',
      column: 'idGrupoRelatorio',
      names: ['relatório', 'relatórios'],
      pronoun: 'o',
      filter: 'idGrupoRelatorio',
    },
  ],
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
const query = listQuery(WorkspaceOrder).extend({ idPowerBi: EntityId.optional() })

const { get } = callsOf({ tag, permission: workspaceEntity.permission })

export const workspacesApi = {
  ...entityCalls(workspaceEntity, {
    tag,
    summaries: {
      list: 'Workspaces',
      get: 'Um workspace',
      create: 'Cadastra um workspace',
      update: 'Edita um workspace',
      remove: 'Exclui um workspace sem relatórios',
    },
    reauthentication: { update: { if: 'tem relatórios, e muda de grupo ou de Powerbi' } },
    query,
    record: Workspace,
    draft: WorkspaceDraft,
    update: WorkspaceDraft,
  }),
  exportCsv: get('/usuarios/workspace.csv', 'Workspaces em CSV', {
    query: query.pick({ busca: true, ordem: true, idPowerBi: true }),
    contentType: 'text/csv',
  }),
  options: get('/grupo-permissao', 'Workspaces para os campos de escolha', {
    query: listQuery(['nomeGrupo']),
    response: { 200: z.array(GroupOption) },
  }),
}
