import { callsOf, namedObject } from '../calls/endpoint.ts'
import { entity, type Fields } from '../calls/entity.ts'
import { entityCalls } from '../calls/entity-calls.ts'
import { calendarDay, emptyAsNull, guidField, idField, MISSING, requiredLine } from '../calls/fields.ts'
import { EntityId } from '../calls/ids.ts'
import { listQuery } from '../calls/lists.ts'
import { z } from '../calls/zod.ts'
import { ReportType } from './report-type.ts'

export const Provider = z.enum(['local', 'microsoft'])
export type Provider = z.infer<typeof Provider>
const CredentialKind = z.enum(['service_principal', 'master_user'])

/** The result of reading, in Microsoft Graph, when the secret expires. */
export const SecretReading = z.enum(['lida', 'sem_permissao', 'nao_encontrada', 'falhou'])
export type SecretReading = z.infer<typeof SecretReading>

/**
 * A registered BI connection, which screens call 'Powerbi', without its password. The password of a
 * service principal is its client secret.
 */
export const Connection = namedObject('Connection', {
  idPowerBI: z.number().int(),
  nome: z.string(),
  username: z.string(),
  /** The user it belongs to, whom screens call 'Cliente'; null after that user was deleted. */
  clienteId: z.number().int().nullable(),
  nomeCliente: z.string().nullable(),
  idResponsavel: z.number().int(),
  nomeResponsavel: z.string(),
  provedor: Provider,
  tenantId: z.string().nullable(),
  applicationId: z.string().nullable(),
  tipoCredencial: CredentialKind,
  /** The service principal profile on whose behalf Power BI is called. */
  perfilPrincipal: z.string().nullable(),
  temSenha: z.boolean(),
  /** The day (yyyy-mm-dd) on which the secret expires at the provider, if an ADMIN entered it. */
  validadeSegredo: z.string().nullable(),
  /** The day on which the secret expires: as Microsoft Graph answers, otherwise as entered. */
  segredoExpiraEm: z.string().nullable(),
  /** null: Graph was not asked yet, or the connection is no service principal of Microsoft. */
  leituraSegredo: SecretReading.nullable(),
  versao: z.number().int(),
})
export type Connection = z.infer<typeof Connection>

const secret = z.string(MISSING).min(1, MISSING).max(1024, 'Use no máximo 1024 caracteres.')
const fields = {
  nome: requiredLine(120),
  username: requiredLine(254),
  idResponsavel: idField(),
  /** Default for a new connection: the configured provider. */
  provedor: Provider.optional(),
  tenantId: emptyAsNull(guidField('Informe o id do tenant (GUID).')).optional(),
  applicationId: emptyAsNull(guidField('Informe o id do aplicativo (GUID).')).optional(),
  /** Default: a master user if the user name is an e-mail, otherwise a service principal. */
  tipoCredencial: CredentialKind.optional(),
  perfilPrincipal: emptyAsNull(guidField('Informe o id do perfil (GUID).')).optional(),
  validadeSegredo: emptyAsNull(calendarDay('Informe uma data válida.')).optional(),
}

export const ConnectionDraft = namedObject('ConnectionDraft', {
  ...fields,
  password: secret,
  clienteId: idField(),
})
export type ConnectionDraft = z.infer<typeof ConnectionDraft>

/**
 * Fields left out and a null password stay unchanged. A null `clienteId` is accepted, since a GET
 * may answer it. A new password without `validadeSegredo` clears the date, which belonged to the
 * old password.
 */
export const ConnectionUpdate = namedObject('ConnectionUpdate', {
  ...fields,
  password: secret.nullish(),
  clienteId: idField().nullable(),
})
export type ConnectionUpdate = z.infer<typeof ConnectionUpdate>

/** The steps of 'Testar conexão' in order; after a failed step the rest are skipped (`ok` null). */
export const TestStep = z.enum(['credencial', 'grupos', 'relatorio', 'token'])
export type TestStep = z.infer<typeof TestStep>
export const ConnectionTest = namedObject('ConnectionTest', {
  etapas: z.array(
    z.object({
      nome: TestStep,
      /** null: skipped, because an earlier step failed or there was nothing to test. */
      ok: z.boolean().nullable(),
      /** A Portuguese sentence: the result, or the fault and what to do. */
      detalhe: z.string(),
    }),
  ),
  /** What the test could not read or embed, and skipped; registered reports come first. */
  avisos: z.array(
    z.object({
      grupo: z.string(),
      /** null: the reason concerns the whole group. */
      relatorio: z.string().nullable(),
      /** A Portuguese sentence: the fault and what to do. */
      motivo: z.string(),
    }),
  ),
  /** How many warnings are left out of `avisos`, if any. */
  avisosOmitidos: z.number().int().optional(),
  /** When the secret expires, for a service principal of Microsoft whose credential works. */
  segredo: z
    .object({ leitura: SecretReading, expiraEm: z.iso.date().nullable(), detalhe: z.string() })
    .optional(),
})
export type ConnectionTest = z.infer<typeof ConnectionTest>

/** A workspace at the BI provider, which its API calls a group. */
export const ExternalGroup = namedObject('ExternalGroup', {
  idGrupo: z.string(),
  nomeGrupo: z.string(),
  /** The id of the workspace that is registered in the portal for this group and connection. */
  idGrupoRelatorio: z.number().int().nullable(),
})
export type ExternalGroup = z.infer<typeof ExternalGroup>

export const ExternalReport = namedObject('ExternalReport', {
  reportId: z.string(),
  nome: z.string(),
  jaCadastrado: z.boolean(),
  /** PAINEL: a dashboard, which the portal lists only to say that it cannot embed it. */
  tipo: z.enum([...ReportType.options, 'PAINEL']),
  /** Why the portal cannot embed it, as a Portuguese sentence; null when it can. */
  impedimento: z.string().nullable(),
})
export type ExternalReport = z.infer<typeof ExternalReport>

export const ConnectionOrder = ['nome', 'username', 'applicationId', 'nomeCliente', 'provedor'] as const

const fieldDescriptions = {
  nome: { label: 'Nome', column: 'Nome do Powerbi', csv: true, control: 'text', privacy: 'none' },
  username: { label: 'Username', csv: true, control: 'text', privacy: 'personal' },
  password: { label: 'Senha', control: 'secret', privacy: 'personal' },
  clienteId: { label: 'Cliente', control: 'choice', privacy: 'none' },
  nomeCliente: { label: 'Cliente', csv: true, isDerived: true, privacy: 'personal' },
  idResponsavel: { label: 'Responsável', control: 'choice', privacy: 'none' },
  nomeResponsavel: { label: 'Responsável', csv: true, isDerived: true, privacy: 'none' },
  provedor: { label: 'Provedor', csv: true, control: 'choice', privacy: 'none' },
  tenantId: { label: 'Tenant ID', csv: true, control: 'optionalText', privacy: 'none' },
  applicationId: { label: 'Application ID', csv: true, control: 'optionalText', privacy: 'none' },
  tipoCredencial: { label: 'Tipo de credencial', csv: true, control: 'choice', privacy: 'none' },
  perfilPrincipal: { label: 'Perfil do service principal', control: 'optionalText', privacy: 'none' },
  validadeSegredo: { label: 'Validade do segredo', control: 'day', privacy: 'none' },
  segredoExpiraEm: { label: 'Segredo vence em', csv: true, isDerived: true, privacy: 'none' },
  leituraSegredo: { label: 'Leitura no Microsoft Graph', isDerived: true, privacy: 'none' },
  temSenha: { label: 'Tem senha', isDerived: true, privacy: 'none' },
} as const satisfies Fields<Connection & Pick<ConnectionDraft, 'password'>, 'idPowerBI'>

export const connectionEntity = entity({
  kind: 'powerbi',
  title: 'Powerbi',
  list: 'powerbis',
  listTitle: 'Lista de Powerbis',
  path: '/usuarios/powerbi',
  permission: 'connections:manage',
  table: 'powerbi',
  id: 'idPowerBi',
  wireId: 'idPowerBI',
  name: 'nome',
  hint: 'username',
  actions: {
    'connection.created': 'Cadastrou um Powerbi',
    'connection.updated': 'Editou um Powerbi',
    'connection.deleted': 'Excluiu um Powerbi',
    'connection.tested': 'Testou um Powerbi',
    'connection.expiry-read': 'Leu a validade do segredo de um Powerbi',
  },
  references: ['idPowerBI', 'idPowerBi'],
  dependants: [
    {
      kind: 'workspace',
      column: 'idPowerBi',
      names: ['workspace', 'workspaces'],
      pronoun: 'o',
      filter: 'idPowerBi',
    },
    { kind: 'capacidade', column: 'idPowerBi', names: ['capacidade', 'capacidades'], pronoun: 'a' },
  ],
  pages: { list: '/powerbi', form: '/Registerpowerbi' },
  menu: { title: 'Powerbi', phoneTitle: 'Powerbis', list: 'Listar' },
  fields: fieldDescriptions,
})

const tag = 'Powerbi'
const query = listQuery(ConnectionOrder)

const { get, post } = callsOf({ tag, permission: connectionEntity.permission })

export const connectionsApi = {
  ...entityCalls(connectionEntity, {
    tag,
    summaries: {
      list: 'Conexões de BI',
      get: 'Uma conexão',
      create: 'Cadastra uma conexão',
      update: 'Edita uma conexão; sem senha, a senha fica como está',
      remove: 'Exclui uma conexão sem workspaces',
    },
    reauthentication: {
      create: 'always',
      update: { if: 'muda a credencial, ou a quem ela entra' },
      remove: 'always',
    },
    query,
    record: Connection,
    draft: ConnectionDraft,
    update: ConnectionUpdate,
  }),
  exportCsv: get('/usuarios/powerbi.csv', 'Conexões de BI em CSV, sem segredos', {
    query: query.pick({ busca: true, ordem: true }),
    contentType: 'text/csv',
  }),
  test: post(
    '/usuarios/powerbi/:id/testar',
    'Testa a conexão em quatro etapas: credencial, grupos, relatório, token',
    { response: { 200: ConnectionTest } },
  ),
  groups: get('/usuarios/powerbi/:id/grupos', 'Grupos que a conexão enxerga agora no serviço de BI', {
    response: { 200: z.array(ExternalGroup) },
  }),
  groupReports: get(
    '/usuarios/powerbi/:id/grupos/:idGrupo/relatorios',
    'Relatórios de um grupo no serviço de BI, com os já cadastrados marcados',
    { params: z.object({ id: EntityId, idGrupo: z.guid() }), response: { 200: z.array(ExternalReport) } },
  ),
}

/** A unit of the organisation, not a person, that users and connections belong to. */
export const Responsible = namedObject('Responsible', {
  idResponsavel: z.number().int(),
  nomeResponsavel: z.string(),
})
export type Responsible = z.infer<typeof Responsible>

export const ResponsibleDraft = namedObject('ResponsibleDraft', { nomeResponsavel: requiredLine(120) })

export const responsibleEntity = entity({
  kind: 'responsible',
  title: 'Responsável',
  list: 'responsaveis',
  path: '/responsavel',
  permission: 'connections:manage',
  table: 'responsavel',
  id: 'idResponsavel',
  name: 'nomeResponsavel',
  actions: { 'responsible.created': 'Cadastrou um responsável' },
  references: ['idResponsavel'],
  unique: {
    constraint: 'responsavel_nome_unico',
    problem: 'responsavel_ja_cadastrado',
    field: 'nomeResponsavel',
  },
  fields: {
    nomeResponsavel: { label: 'Responsável', control: 'text', privacy: 'none' },
  } satisfies Fields<Responsible, 'idResponsavel'>,
})

export const responsiblesApi = {
  list: get('/responsavel', 'Responsáveis', {
    query: listQuery(['nomeResponsavel']),
    response: { 200: z.array(Responsible) },
  }),
  create: post('/responsavel', 'Cadastra um responsável', {
    body: ResponsibleDraft,
    response: { 201: Responsible },
  }),
}
