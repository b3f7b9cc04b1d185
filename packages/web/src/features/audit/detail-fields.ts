import { fieldLabels } from '@bi-manager/contract'
import { momentText } from './audit-texts.ts'

type Fields = Record<string, unknown>

export interface ChangedField {
  label: string
  /** Undefined where there was no record before, or is none any more. */
  before: string | undefined
  after: string | undefined
}

/** What the details of a record say besides a change. */
const detailLabels: Record<string, string> = {
  motivo: 'Motivo',
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
  identidade: 'Identidade enviada ao relatório',
  tokenId: 'Token do relatório',
  liberados: 'Liberados',
  retirados: 'Retirados',
  adicionados: 'Adicionados',
  removidos: 'Removidos',
  importados: 'Importados',
  pessoas: 'Pessoas',
  sessoesEncerradas: 'Sessões encerradas',
  restantes: 'Restantes',
  meio: 'Meio',
  atual: 'A própria sessão',
  emailConfirmado: 'E-mail confirmado',
  idUsuario: 'Usuário',
  idRelatorio: 'Relatório',
  idPerfis: 'Perfis',
  acao: 'Ação',
  objeto: 'Objeto',
  segundoFator: 'Segundo fator',
  ultimoAcesso: 'Último acesso',
  convitePendente: 'Convite pendente',
  nomePowerBi: 'Powerbi',
  nomeResponsavel: 'Responsável',
  nomeCliente: 'Cliente',
  temSenha: 'Tem senha',
  idPowerBI: 'Nº do Powerbi',
  idPerfil: 'Nº do perfil',
}

export const labelOf = (field: string): string => fieldLabels[field] ?? detailLabels[field] ?? field

/** The fields of the record before and after, side by side. */
export const changedFields = ({ antes, depois }: Fields): ChangedField[] => {
  const before = isFields(antes) ? antes : undefined
  const after = isFields(depois) ? depois : undefined
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].map((field) => ({
    label: labelOf(field),
    before: before && valueText(before[field]),
    after: after && valueText(after[field]),
  }))
}

/** The rest: reasons, counts, filters. A before and after that are no records are told here too. */
export const otherFields = (details: Fields): { label: string; value: string }[] =>
  Object.entries(details)
    .filter(([field, value]) => !(['antes', 'depois'].includes(field) && isFields(value)))
    .map(([field, value]) => ({
      label: field === 'antes' ? 'Antes' : field === 'depois' ? 'Depois' : labelOf(field),
      value: valueText(value),
    }))

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

const valueText = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '—'
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não'
  if (typeof value === 'string') return isMoment.test(value) ? momentText(value) : value
  if (Array.isArray(value)) return value.length === 0 ? 'nenhum' : value.map(valueText).join(', ')
  if (isFields(value)) {
    return Object.entries(value)
      .map(([field, item]) => `${labelOf(field)}: ${valueText(item)}`)
      .join('; ')
  }
  return String(value)
}
