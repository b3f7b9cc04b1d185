import { callsOf, namedObject } from './calls/endpoint.ts'
import type { Entity } from './calls/entity.ts'
import { calendarDay, requiredLine } from './calls/fields.ts'
import { pageQuery } from './calls/lists.ts'
import { z } from './calls/zod.ts'
import { type EntityAction, type EntityKind, entities } from './entities.ts'

/** Audited actions that belong to no entity: action in English, past tense → text in the portal. */
const otherActions = {
  'session.created': 'Entrou',
  'session.refused': 'Entrada recusada',
  'session.ended': 'Saiu',
  'session.revoked': 'Encerrou sessões',
  'session.confirmed': 'Confirmou que é a própria pessoa',
  'session.confirmation-refused': 'Confirmação recusada',
  'access.refused': 'Acesso negado',
  'account.requested': 'Pediu uma conta',
  'account.approved': 'Aprovou uma conta',
  'account.refused': 'Recusou uma conta',
  'account.invited': 'Convidou uma pessoa',
  'account.email-confirmed': 'Confirmou o e-mail de uma conta',
  'account.confirmation-refused': 'Confirmação de e-mail recusada',
  'account.disowned': 'Descartou um pedido de conta que não fez',
  'account.linked': 'Ligou uma conta ao provedor de identidade',
  'account.unlinked': 'Desligou uma conta do provedor de identidade',
  'password.recovery-asked': 'Pediu recuperação de senha',
  'password.changed': 'Trocou a senha',
  'password.change-refused': 'Troca de senha recusada',
  'second-factor.enabled': 'Ativou o segundo fator',
  'second-factor.replaced': 'Trocou o aparelho do segundo fator',
  'second-factor.disabled': 'Desativou o segundo fator',
  'second-factor.codes-renewed': 'Trocou os códigos de recuperação',
  'second-factor.code-used': 'Usou um código de recuperação',
  'second-factor.reset': 'Redefiniu o segundo fator de outra pessoa',
  'settings.updated': 'Mudou as regras de segurança',
  'appearance.updated': 'Mudou a aparência',
  'api-key.created': 'Criou uma chave de API',
  'api-key.revoked': 'Revogou uma chave de API',
  'api-key-settings.updated': 'Mudou as regras das chaves de API',
  'pdf-password.changed': 'Definiu a senha dos PDFs de assinaturas',
  'pdf-password.removed': 'Retirou a senha dos PDFs de assinaturas',
  'guest-rules.updated': 'Mudou as regras dos convidados',
  'subscription-rules.updated': 'Mudou as regras das assinaturas',
  'alert.values-read': 'Leu os valores de um relatório para criar um alerta',
  'alert.query-tested': 'Testou uma consulta DAX de um alerta',
  'embed.issued': 'Abriu um relatório',
  'embed.prepared': 'Preparou ou renovou o acesso a um relatório',
  'embed.refused': 'Relatório negado',
  'mcp.reports-listed': 'Um programa listou relatórios (MCP)',
  'mcp.data-read': 'Um programa leu dados de um relatório (MCP)',
  'export.requested': 'Pediu a exportação de um relatório',
  'export.downloaded': 'Baixou um relatório exportado',
  'publication.ordered': 'Mandou publicar um relatório no serviço local',
  'publication.ended': 'Terminou uma publicação no serviço local',
  'publication.data-checked': 'Conferiu um arquivo com os dados publicados de um relatório do serviço local',
  'publication.data-replaced': 'Mandou substituir os dados de um relatório do serviço local',
  'publication.schedule-changed': 'Mudou o agendamento dos dados de um relatório do serviço local',
  'publication.schedule-removed': 'Retirou o agendamento dos dados de um relatório do serviço local',
  'publication.schedule-run': 'Mandou executar o agendamento dos dados de um relatório do serviço local',
  'publication.restored': 'Mandou restaurar uma versão de um relatório do serviço local',
  'data.refresh-requested': 'Pediu a atualização dos dados de um relatório',
  'data.refreshers-changed': 'Mudou quem pode atualizar os dados de um relatório',
  'view.created': 'Salvou uma visão de um relatório',
  'view.changed': 'Mudou uma visão salva',
  'view.deleted': 'Excluiu uma visão salva',
  'comment.created': 'Comentou um relatório',
  'comment.edited': 'Editou um comentário',
  'comment.deleted': 'Excluiu um comentário',
  'comment.resolved': 'Resolveu uma conversa de um relatório',
  'comment.reopened': 'Reabriu uma conversa de um relatório',
  'comments.switched': 'Ligou ou desligou os comentários',
  'favorites.changed': 'Mudou os favoritos',
  'installation.created': 'Instalação criada',
  'mail.tested': 'Enviou um e-mail de teste',
  'grants.changed': 'Mudou permissões',
  'grants.requested': 'Pediu acesso a um relatório',
  'grants.request-answered': 'Respondeu a um pedido de acesso',
  'menu.viewed-as': 'Viu o menu como outra pessoa',
  'report.viewed-as': 'Abriu um relatório como outra pessoa',
  'report.view-as-renewed': 'Renovou um relatório aberto como outra pessoa',
  'access-log.read': 'Leu o registro de acessos',
  'access-log.exported': 'Exportou o registro de acessos',
  'retention.read': 'Leu a lista de retenção',
  'list.exported': 'Exportou uma lista',
  'audit.exported': 'Exportou a auditoria',
  'audit.trimmed': 'Descartou registros vencidos',
  'backup.created': 'Fez uma cópia de segurança',
  'backup.incomplete': 'Fez uma cópia de segurança sem os relatórios publicados',
  'backup.reports-read': 'Pediu todos os relatórios, dados e credenciais do serviço local para uma cópia',
  'backup.restored': 'Restaurou uma cópia de segurança',
  'environment.held': 'Marcou o ambiente como ensaio',
  'environment.released': 'Liberou um ambiente restaurado como produção',
  'secrets.rotated': 'Trocou a chave dos segredos',
} as const satisfies Record<string, string>
export type AuditAction = EntityAction | keyof typeof otherActions

/** All audited actions → their text in the portal. */
export const auditActions: Record<AuditAction, string> = Object.assign(
  {},
  ...entities.map(({ actions }) => actions),
  otherActions,
)

/** Kinds of audited objects: the prefix in `relatorio:12` → its text in the portal. */
export const auditObjectKinds = Object.fromEntries(
  entities.map(({ kind, title }) => [kind, title]),
) as Record<EntityKind, string>

/** Fields of an entry's details that hold one or several ids → the kind of object. */
export const auditReferences = Object.fromEntries(
  entities.flatMap(({ kind, references = [] }: Entity) => references.map((field) => [field, kind])),
) as Record<string, EntityKind>

export const AuditedName = namedObject('AuditedName', {
  /** Null when the name is no longer known. */
  nome: z.string().nullable(),
  existe: z.boolean(),
})
export type AuditedName = z.infer<typeof AuditedName>

/** Maximum number of ids of one entry that are resolved to names; the rest stay numbers. */
export const NAMES_AN_ENTRY = 300

/** Objects without an id: lists and settings. */
const singleObjects: Record<string, string> = {
  ...Object.fromEntries(
    entities.flatMap(({ list, listTitle }: Entity) => (listTitle ? [[list, listTitle]] : [])),
  ),
  users: 'Lista de usuários',
  auditoria: 'Trilha de auditoria',
  retencao: 'Lista de retenção',
  uso: 'Uso dos relatórios',
  'uso-sem-uso': 'Relatórios sem uso',
  'uso-nunca-entraram': 'Pessoas que nunca entraram',
  'uso-detalhes': 'Detalhes do uso',
  'meu-uso': 'O próprio uso',
  'configuracao:seguranca': 'Regras de segurança',
  'configuracao:aparencia': 'Aparência',
  'configuracao:chaves': 'Regras das chaves de API',
  'configuracao:convidados': 'Regras dos convidados',
  'configuracao:assinaturas': 'Regras das assinaturas',
}

/** Returns 'Usuário nº 6'; undefined for an object without an id. */
export const auditedNumberText = (objeto: string): string | undefined => {
  const [kind = '', id] = objeto.split(':')
  if (!id || !Object.hasOwn(auditObjectKinds, kind)) return undefined
  const text = auditObjectKinds[kind as EntityKind]
  return /^\d+$/.test(id) ? `${text} nº ${id}` : text
}

/**
 * Returns the text for an object: 'Ana', 'Ana (excluído)', 'Usuário nº 6 (excluído)' or
 * 'Regras de segurança'; undefined when there is no text.
 * @param name the object's entry in `nomes`
 */
export const auditedNameText = (objeto: string, name: AuditedName | undefined): string | undefined => {
  if (Object.hasOwn(singleObjects, objeto)) return singleObjects[objeto]
  const text = name?.nome ?? auditedNumberText(objeto)
  return text && name && !name.existe ? `${text} (excluído)` : text
}

const AuditKind = z.enum(Object.keys(auditActions) as [AuditAction, ...AuditAction[]])

export const AuditEntry = namedObject('AuditEntry', {
  idAuditoria: z.number().int(),
  quando: z.iso.datetime(),
  /** Null for an action without a signed-in user. */
  idUsuario: z.number().int().nullable(),
  /** The user's current name; null without a user and for deleted users. */
  nomeUsuario: z.string().nullable(),
  acao: z.string(),
  /** The affected object, such as `relatorio:12`. */
  objeto: z.string().nullable(),
  /** Values before and after, reasons; never a secret. */
  detalhes: z.record(z.string(), z.unknown()),
  endereco: z.string().nullable(),
  idRequisicao: z.string().nullable(),
  /** Object or id in the details (`relatorio:12`) → its current or last known name. */
  nomes: z.record(z.string(), AuditedName),
})
export type AuditEntry = z.infer<typeof AuditEntry>

const day = calendarDay('Informe uma data válida.')

const query = pageQuery.extend({
  idUsuario: z.coerce.number<number | string>().int().positive().max(2_147_483_647).optional(),
  acao: AuditKind.optional(),
  objeto: requiredLine(80)
    .optional()
    .meta({ description: 'Exato (`relatorio:12`), ou só o tipo (`relatorio`).' }),
  /** Days in America/Sao_Paulo, both inclusive. */
  de: day.optional(),
  ate: day.optional(),
})

const { get } = callsOf({ tag: 'Auditoria', permission: 'audit:read' })

export const auditApi = {
  list: get('/auditoria', 'A trilha de auditoria, do mais novo ao mais antigo', {
    query,
    response: { 200: z.array(AuditEntry) },
  }),
  exportCsv: get('/auditoria.csv', 'A trilha de auditoria em CSV', {
    query: query.omit({ pagina: true, tamanho: true }),
    contentType: 'text/csv',
  }),
}
