import {
  type AuditEntry,
  accessObjects,
  auditedNameText,
  auditReferences,
  fieldLabels,
  KeyGroup,
  keyGroupTexts,
  NO_PURPOSE,
  ownValue,
  purposes,
} from '@bi-manager/contract'
import { exactTime } from '../../lib/text/relative-time.ts'
import { objectPath } from './object-path.ts'

type Fields = Record<string, unknown>
type Entry = Pick<AuditEntry, 'objeto' | 'detalhes' | 'nomes'>
type Context = Omit<Entry, 'detalhes'>

interface NamedObject {
  /** `relatorio:12`. */
  key: string
  text: string
  path: string | undefined
}

export type DetailValue = string | NamedObject[]

export interface ChangedField {
  field: string
  label: string
  /** `before` is undefined for a new entity, `after` for a deleted one. */
  before: DetailValue | undefined
  after: DetailValue | undefined
}

/** Labels of details that are not fields of an entity. */
const detailLabels: Record<string, string> = {
  tabela: 'Tabela',
  coluna: 'Coluna',
  rotulo: 'Rótulo',
  valores: 'Valores',
  valor: 'Valor',
  padrao: 'Padrão',
  motivo: 'Motivo',
  cor: 'Cor',
  metodo: 'Método',
  rota: 'Rota',
  codigo: 'Código',
  linhas: 'Linhas',
  ate: 'Até',
  de: 'De',
  busca: 'Busca',
  ordem: 'Ordem',
  versao: 'Versão',
  dispositivo: 'Dispositivo',
  servico: 'Serviço de relatórios',
  enviado: 'E-mail enviado',
  identidade: 'Identidade enviada ao relatório',
  tokenId: 'Token do relatório',
  expiraEm: 'Válido até',
  prazos: 'Prazos',
  validoAte: 'Válido até',
  decisao: 'Resposta',
  idPedido: 'Pedido',
  redesAdmin: 'Redes de administradores',
  redesUsuario: 'Redes dos demais usuários',
  buscaSemAcesso: 'Busca mostra relatórios sem acesso',
  liberados: 'Liberados',
  retirados: 'Retirados',
  incluidos: 'Incluídos',
  entraram: 'Entraram',
  sairam: 'Saíram',
  usuarios: 'Usuários',
  cadastrados: 'Cadastrados',
  deNovo: 'De novo',
  razao: 'Razão',
  importados: 'Importados',
  pessoas: 'Pessoas',
  sessoesEncerradas: 'Sessões encerradas',
  chavesRevogadas: 'Chaves de API revogadas',
  chaveApi: 'Chave de API',
  grupos: 'Permissões',
  mcp: 'Servidor MCP',
  relatorios: 'Relatórios',
  pagina: 'Página',
  visuais: 'Visuais',
  restantes: 'Restantes',
  meio: 'Meio',
  atual: 'A própria sessão',
  emailConfirmado: 'E-mail confirmado',
  idUsuario: 'Usuário',
  idRelatorio: 'Relatório',
  idPerfis: 'Perfis',
  acao: 'Ação',
  objeto: 'Objeto',
  entregue: 'Entregue',
  senhaRetirada: 'Senha retirada',
  segundoFatorRetirado: 'Segundo fator retirado',
  identidades: 'Identidades',
  emissor: 'Emissor',
  sujeito: 'Sujeito',
  jaExistia: 'Já existia',
  etapas: 'Etapas',
  ok: 'Deu certo',
  detalhe: 'Detalhe',
  cifrados: 'Cifrados de novo',
  descartados: 'Descartados',
  finalidade: 'Finalidade',
  campos: 'Campos',
  beneficiario: 'Beneficiário',
  prontuario: 'Prontuário',
  anexo: 'Anexo',
  incidente: 'Incidente',
  idPowerBI: 'Nº do Powerbi',
  idPerfil: 'Nº do perfil',
}

const labelOf = (field: string): string =>
  ownValue(fieldLabels, field) ?? ownValue(detailLabels, field) ?? field

/** Returns the fields of the entity with their values before and after. */
export const changedFields = ({ detalhes: { antes, depois }, ...context }: Entry): ChangedField[] => {
  const before = isFields(antes) ? antes : undefined
  const after = isFields(depois) ? depois : undefined
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].map((field) => ({
    field,
    label: labelOf(field),
    before: before && detailValue(field, before[field], context),
    after: after && detailValue(field, after[field], context),
  }))
}

/**
 * Returns the other details: reasons, counts, filters, and `antes` or `depois` that are not
 * entities.
 */
export const otherFields = ({ detalhes, ...context }: Entry) =>
  Object.entries(detalhes)
    .filter(([field, value]) => !(['antes', 'depois'].includes(field) && isFields(value)))
    .map(([field, value]) => ({
      field,
      label: field === 'antes' ? 'Antes' : field === 'depois' ? 'Depois' : labelOf(field),
      value: detailValue(field, value, context),
    }))

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** Replaces ids by names with links, and other values by text. */
const detailValue = (field: string, value: unknown, context: Context): DetailValue => {
  const named = namedObjects(field, value, context)
  if (named && named.length > 0) return named
  // The trail holds only the ids of beneficiaries, records and attachments.
  if (Object.hasOwn(accessObjects, field) && Array.isArray(value)) {
    return value.map((id) => `nº ${id}`).join(', ')
  }
  return valueText(field, value, context)
}

const namedObjects = (
  field: string,
  value: unknown,
  { objeto, nomes }: Context,
): NamedObject[] | undefined => {
  const kind = ownValue(auditReferences, field)
  const ids = [value].flat()
  if (!kind || !ids.every((id) => typeof id === 'number')) return undefined
  return ids.map((id) => {
    const key = `${kind}:${id}`
    const name = ownValue(nomes, key)
    // The entity's own id, and ids beyond the server's limit of names.
    if (!name || key === objeto) return { key, text: `nº ${id}`, path: undefined }
    return { key, text: auditedNameText(key, name) ?? '', path: objectPath(key, name) }
  })
}

const valueText = (field: string, value: unknown, context: Context): string => {
  if (value === null || value === undefined || value === '') return '—'
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não'
  if (typeof value === 'string') {
    if (field === 'objeto') return auditedNameText(value, ownValue(context.nomes, value)) ?? value
    if (field === 'motivo') return ownValue(reasons, value) ?? value
    if (field === 'finalidade') return ownValue(purposeNames, value) ?? value
    return isMoment.test(value) ? exactTime(value) : value
  }
  const named = namedObjects(field, value, context)
  if (named && named.length > 0) return named.map(({ text }) => text).join(', ')
  if (Array.isArray(value)) {
    // Without networks, each is allowed.
    if (value.length === 0) return field.startsWith('redes') ? 'não informadas' : 'nenhum'
    if (field === 'campos') return value.map((name) => labelOf(String(name))).join(', ')
    if (field === 'grupos') return value.map(groupTitle).join(', ')
    // Entities are separated by line breaks, plain values by commas.
    return value.map((item) => valueText('', item, context)).join(value.some(isFields) ? '\n' : ', ')
  }
  if (isFields(value)) {
    return Object.entries(value)
      .map(([name, item]) => `${labelOf(name)}: ${valueText(name, item, context)}`)
      .join('; ')
  }
  return String(value)
}

const groupTitle = (group: unknown): string => {
  const known = KeyGroup.safeParse(group)
  return known.success ? keyGroupTexts[known.data].title : String(group)
}

const purposeNames: Record<string, string> = { ...purposes, nao_informada: NO_PURPOSE }

/** Reasons for a refused sign-in through the provider. */
const reasons: Record<string, string> = {
  conta_pendente: 'conta pendente',
  conta_bloqueada: 'conta bloqueada',
  conta_vencida: 'conta vencida',
  rede_nao_permitida: 'rede não permitida',
  conta_nao_ligada: 'conta não ligada ao provedor',
  entrada_recusada: 'entrada recusada pelo provedor',
}
