import { callsOf, namedObject } from '../calls/endpoint.ts'
import { z } from '../calls/zod.ts'

/** `desconhecido`: the state could not be determined, which requires no action by itself. */
export const SystemState = z.enum(['ok', 'atencao', 'falha', 'desconhecido'])
export type SystemState = z.infer<typeof SystemState>

const instant = z.iso.datetime()
const count = z.number().int()
const bytes = z.number().int().nullable()

/** Fields of every item. */
const item = {
  estado: SystemState,
  /** One Portuguese sentence: the state and, unless it is `ok`, what to do. */
  frase: z.string(),
}

const SystemNode = namedObject('SystemNode', {
  /** Host name and port of the answering process: several may share one address. */
  nome: z.string(),
  versao: z.string(),
  versaoNode: z.string(),
  iniciadoEm: instant,
  segundosNoAr: count,
})

const DatabaseStatus = namedObject('DatabaseStatus', {
  ...item,
  tipo: z.enum(['embutido', 'postgresql']),
  versao: z.string().nullable(),
  tamanhoBytes: bytes,
  respostaMs: count.nullable(),
  ultimaMigracao: z.string().nullable(),
  ultimaMigracaoEm: instant.nullable(),
})

const ClockStatus = namedObject('ClockStatus', {
  ...item,
  /** Milliseconds that this node's clock is ahead of the database's; negative when it is behind. */
  diferencaMs: z.number().int().nullable(),
})

const StorageStatus = namedObject('StorageStatus', {
  ...item,
  pasta: z.string(),
  livreBytes: bytes,
  totalBytes: bytes,
  /** MIN_FREE_MB: below it, writes are refused. */
  minimoBytes: count,
})

/** The outcome of an e-mail that failed at least once. */
export const MailOutcome = z.enum(['aguardando', 'desistiu', 'entregue'])
export type MailOutcome = z.infer<typeof MailOutcome>

const MailFailureEntry = namedObject('MailFailureEntry', {
  /** Time of the last attempt. */
  em: instant,
  /** The message's template, such as `convite`; neither address nor content. */
  modelo: z.string(),
  /** Error code of the mail server or the system, such as `EENVELOPE 550`. */
  codigo: z.string(),
  frase: z.string(),
  desfecho: MailOutcome,
})

const MailStatus = namedObject('MailStatus', {
  ...item,
  modo: z.enum(['smtp', 'pasta']),
  /** The mail server without user and password, or the folder. */
  destino: z.string(),
  aguardando: count,
  maisAntigaEm: instant.nullable(),
  ultimaEntregaEm: instant.nullable(),
  /** Since when the mail server has refused every message. */
  falhandoDesde: instant.nullable(),
  falhas: z.array(MailFailureEntry),
})

const ReportServiceStatus = namedObject('ReportServiceStatus', {
  ...item,
  endereco: z.string(),
  relatorios: count.nullable(),
  /** Number of unusable definition or data files. */
  avisos: count.nullable(),
})

const ConnectionStatus = namedObject('ConnectionStatus', {
  ...item,
  idPowerBI: count,
  nome: z.string(),
  testadaEm: instant.nullable(),
})

const ConnectionsStatus = namedObject('ConnectionsStatus', {
  ...item,
  total: count,
  /** Connections that need action first; at most 100. */
  lista: z.array(ConnectionStatus),
})

const BackupStatus = namedObject('BackupStatus', {
  ...item,
  ultimaEm: instant.nullable(),
  /** Of the last good scheduled run: location without credentials; whether it was restored. */
  destino: z.string().nullable(),
  verificada: z.boolean().nullable(),
  emAndamentoDesde: instant.nullable(),
})

const ExpiryStatus = namedObject('ExpiryStatus', {
  ...item,
  nome: z.string(),
  /** The setting or record it belongs to, such as `PUBLIC_URL` or `powerbi:3`. */
  origem: z.string(),
  /** The portal page where it can be renewed. */
  rota: z.string().nullable(),
  venceEm: instant.nullable(),
})
export type ExpiryStatus = z.infer<typeof ExpiryStatus>

const ExpiriesStatus = namedObject('ExpiriesStatus', { ...item, lista: z.array(ExpiryStatus) })

const QueueStatus = namedObject('QueueStatus', {
  ...item,
  fila: z.enum(['emails', 'exportacoes', 'auditoria', 'arquivos']),
  aguardando: count,
  maisAntigaEm: instant.nullable(),
})
export type QueueStatus = z.infer<typeof QueueStatus>

const QueuesStatus = namedObject('QueuesStatus', { ...item, lista: z.array(QueueStatus) })

/** The installation's status for an ADMIN, or for a monitoring system that signs in as one. */
export const SystemStatus = namedObject('SystemStatus', {
  /** The worst state of all items; `desconhecido` does not count. */
  estado: SystemState,
  verificadoEm: instant,
  no: SystemNode,
  banco: DatabaseStatus,
  relogio: ClockStatus,
  disco: StorageStatus,
  email: MailStatus,
  /** null when no local report service is configured. */
  servicoRelatorios: ReportServiceStatus.nullable(),
  conexoes: ConnectionsStatus,
  copiaSeguranca: BackupStatus,
  certificados: ExpiriesStatus,
  segredos: ExpiriesStatus,
  filas: QueuesStatus,
})
export type SystemStatus = z.infer<typeof SystemStatus>

/** The items of the system status that an administrator can act on. */
export const StatusItem = z.enum([
  'banco',
  'relogio',
  'disco',
  'email',
  'servicoRelatorios',
  'conexoes',
  'copiaSeguranca',
  'certificados',
  'segredos',
  'filas',
])
export type StatusItem = z.infer<typeof StatusItem>

export const MailTest = namedObject('MailTest', {
  /** Whether the mail server or the outbox folder accepted the message. */
  entregue: z.boolean(),
  para: z.string(),
  /** The result and, on failure, what to do. */
  frase: z.string(),
  codigo: z.string().nullable(),
})
export type MailTest = z.infer<typeof MailTest>

/** Something that an administrator should look at now. */
export const AttentionItem = namedObject('AttentionItem', {
  /**
   * What waits: accounts, requests for access, refreshes, replacements of data, capacities, or an
   * item of the system status.
   */
  assunto: z.enum(['contas', 'pedidos', 'dados', 'trocas', 'capacidades', ...StatusItem.options]),
  /** One Portuguese sentence. */
  frase: z.string(),
  /** The portal's page for it. */
  rota: z.string(),
})
export type AttentionItem = z.infer<typeof AttentionItem>

const { get, post } = callsOf({ tag: 'Sistema', permission: 'system:read' })

export const systemStatusApi = {
  get: get(
    '/sistema/situacao',
    'Situação do sistema: cada item traz o estado (ok, atencao, falha ou desconhecido) e uma frase que diz o que fazer',
    { response: { 200: SystemStatus } },
  ),
  attention: get(
    '/sistema/atencao',
    'O que pede a atenção de um administrador: contas pendentes, atualizações, capacidades e a situação do sistema',
    { response: { 200: z.array(AttentionItem) } },
  ),
  testMail: post(
    '/sistema/teste-email',
    'Envia um e-mail de teste a quem chama e diz se foi entregue, ou por que não',
    { permission: 'settings:manage', response: { 200: MailTest } },
  ),
}
