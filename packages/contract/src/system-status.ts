import { z } from 'zod'
import { endpoint } from './endpoint.ts'

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

const SystemNode = z
  .object({
    /** Host name and port of the answering process: several may share one address. */
    nome: z.string(),
    versao: z.string(),
    versaoNode: z.string(),
    iniciadoEm: instant,
    segundosNoAr: count,
  })
  .meta({ id: 'SystemNode' })

const DatabaseStatus = z
  .object({
    ...item,
    tipo: z.enum(['embutido', 'postgresql']),
    versao: z.string().nullable(),
    tamanhoBytes: bytes,
    respostaMs: count.nullable(),
    ultimaMigracao: z.string().nullable(),
    ultimaMigracaoEm: instant.nullable(),
  })
  .meta({ id: 'DatabaseStatus' })

const StorageStatus = z
  .object({
    ...item,
    pasta: z.string(),
    livreBytes: bytes,
    totalBytes: bytes,
    /** MIN_FREE_MB: below it, writes are refused. */
    minimoBytes: count,
  })
  .meta({ id: 'StorageStatus' })

/** The outcome of an e-mail that failed at least once. */
export const MailOutcome = z.enum(['aguardando', 'desistiu', 'entregue'])
export type MailOutcome = z.infer<typeof MailOutcome>

const MailFailureEntry = z
  .object({
    /** Time of the last attempt. */
    em: instant,
    /** The message's template, such as `convite`; neither address nor content. */
    modelo: z.string(),
    /** Error code of the mail server or the system, such as `EENVELOPE 550`. */
    codigo: z.string(),
    frase: z.string(),
    desfecho: MailOutcome,
  })
  .meta({ id: 'MailFailureEntry' })
export type MailFailureEntry = z.infer<typeof MailFailureEntry>

const MailStatus = z
  .object({
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
  .meta({ id: 'MailStatus' })

const ReportServiceStatus = z
  .object({
    ...item,
    endereco: z.string(),
    relatorios: count.nullable(),
    /** Number of unusable definition or data files. */
    avisos: count.nullable(),
  })
  .meta({ id: 'ReportServiceStatus' })

const ConnectionStatus = z
  .object({ ...item, idPowerBI: count, nome: z.string(), testadaEm: instant.nullable() })
  .meta({ id: 'ConnectionStatus' })

const ConnectionsStatus = z
  .object({
    ...item,
    total: count,
    /** Connections that need action first; at most 100. */
    lista: z.array(ConnectionStatus),
  })
  .meta({ id: 'ConnectionsStatus' })

const BackupStatus = z
  .object({
    ...item,
    ultimaEm: instant.nullable(),
    /** Of the last good scheduled run: location without credentials; whether it was restored. */
    destino: z.string().nullable(),
    verificada: z.boolean().nullable(),
    emAndamentoDesde: instant.nullable(),
  })
  .meta({ id: 'BackupStatus' })

const ExpiryStatus = z
  .object({
    ...item,
    nome: z.string(),
    /** The setting or record it belongs to, such as `PUBLIC_URL` or `powerbi:3`. */
    origem: z.string(),
    /** The portal page where it can be renewed. */
    rota: z.string().nullable(),
    venceEm: instant.nullable(),
  })
  .meta({ id: 'ExpiryStatus' })
export type ExpiryStatus = z.infer<typeof ExpiryStatus>

const ExpiriesStatus = z.object({ ...item, lista: z.array(ExpiryStatus) }).meta({ id: 'ExpiriesStatus' })

const QueueStatus = z
  .object({
    ...item,
    fila: z.enum(['emails', 'exportacoes', 'auditoria', 'arquivos']),
    aguardando: count,
    maisAntigaEm: instant.nullable(),
  })
  .meta({ id: 'QueueStatus' })
export type QueueStatus = z.infer<typeof QueueStatus>

const QueuesStatus = z.object({ ...item, lista: z.array(QueueStatus) }).meta({ id: 'QueuesStatus' })

/** The installation's status for an ADMIN, or for a monitoring system that signs in as one. */
export const SystemStatus = z
  .object({
    /** The worst state of all items; `desconhecido` does not count. */
    estado: SystemState,
    verificadoEm: instant,
    no: SystemNode,
    banco: DatabaseStatus,
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
  .meta({ id: 'SystemStatus' })
export type SystemStatus = z.infer<typeof SystemStatus>

export const MailTest = z
  .object({
    /** Whether the mail server or the outbox folder accepted the message. */
    entregue: z.boolean(),
    para: z.string(),
    /** The result and, on failure, what to do. */
    frase: z.string(),
    codigo: z.string().nullable(),
  })
  .meta({ id: 'MailTest' })
export type MailTest = z.infer<typeof MailTest>

const tag = 'Sistema'

export const systemStatusApi = {
  get: endpoint({
    method: 'GET',
    url: '/sistema/situacao',
    permission: 'system:read',
    tag,
    summary:
      'Situação do sistema: cada item traz o estado (ok, atencao, falha ou desconhecido) e uma frase que diz o que fazer',
    response: { 200: SystemStatus },
  }),
  testMail: endpoint({
    method: 'POST',
    url: '/sistema/teste-email',
    permission: 'settings:manage',
    tag,
    summary: 'Envia um e-mail de teste a quem chama e diz se foi entregue, ou por que não',
    response: { 200: MailTest },
  }),
}
