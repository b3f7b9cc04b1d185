import { type Capacity, type CapacityState, type CapacityStatus, weekdayTexts } from '@bi-manager/contract'
import { fullTime } from '../../lib/text/relative-time.ts'

export const stateTexts: Record<CapacityState, string> = {
  ATIVA: 'Ativa',
  PAUSADA: 'Pausada',
  INICIANDO: 'Iniciando',
  PAUSANDO: 'Pausando',
  REDIMENSIONANDO: 'Mudando de tamanho',
  PREPARANDO: 'Em preparação',
  SUSPENSA: 'Suspensa pelo Azure',
  FALHOU: 'Com falha no Azure',
  DESCONHECIDA: 'Ainda não lida',
}

/** States that end by themselves. */
export const isChanging = (state: CapacityState): boolean =>
  state === 'INICIANDO' || state === 'PAUSANDO' || state === 'REDIMENSIONANDO' || state === 'PREPARANDO'

/** Returns 'Segunda a sexta, das 08:00 (F8) às 19:00 (F2)', or 'Sem agenda'. */
export const scheduleText = ({
  diasAgenda,
  iniciaAs,
  pausaAs,
  tamanhoInicio,
  tamanhoFim,
}: Capacity): string => {
  if (diasAgenda.length === 0) return 'Sem agenda'
  const days = diasAgenda.length === 7 ? 'Todos os dias' : daysText(diasAgenda)
  const start = iniciaAs && `${iniciaAs}${tamanhoInicio ? ` (${tamanhoInicio})` : ''}`
  const end = pausaAs && `${pausaAs}${tamanhoFim ? ` (${tamanhoFim})` : ''}`
  if (start && end) return `${days}, das ${start} às ${end}`
  if (start) return `${days}, inicia às ${start}`
  return tamanhoFim ? `${days}, muda de tamanho às ${end}` : `${days}, pausa às ${end}`
}

const workdays = 'segunda,terca,quarta,quinta,sexta'

const daysText = (days: Capacity['diasAgenda']): string =>
  days.join() === workdays ? 'Segunda a sexta' : days.map((day) => weekdayTexts[day].slice(0, 3)).join(', ')

/** Returns 'Inicia em 27/11/2026 08:00'. */
export const nextText = ({ proxima }: CapacityStatus): string => {
  if (!proxima) return 'Nenhuma mudança na agenda'
  const { acao, sku, em } = proxima
  const verb = { INICIAR: 'Inicia', PAUSAR: 'Pausa', REDIMENSIONAR: `Muda para ${sku}` }[acao]
  return `${verb} em ${fullTime(em)}`
}

/** Returns '12,5 h'. */
export const hoursText = (hours: number): string =>
  `${hours.toLocaleString('pt-BR', { maximumFractionDigits: 1 })} h`
