import type { Capacity, CapacityState, CapacityStatus, WEEKDAYS } from '@bi-manager/contract'
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

export const dayNames: Record<(typeof WEEKDAYS)[number], string> = {
  segunda: 'Segunda',
  terca: 'Terça',
  quarta: 'Quarta',
  quinta: 'Quinta',
  sexta: 'Sexta',
  sabado: 'Sábado',
  domingo: 'Domingo',
}

/** Returns 'Segunda a sexta, das 08:00 às 19:00', or 'Sem agenda'. */
export const scheduleText = ({ diasAgenda, iniciaAs, pausaAs }: Capacity): string => {
  if (diasAgenda.length === 0) return 'Sem agenda'
  const days = diasAgenda.length === 7 ? 'Todos os dias' : daysText(diasAgenda)
  if (iniciaAs && pausaAs) return `${days}, das ${iniciaAs} às ${pausaAs}`
  return iniciaAs ? `${days}, inicia às ${iniciaAs}` : `${days}, pausa às ${pausaAs}`
}

const workdays = 'segunda,terca,quarta,quinta,sexta'

const daysText = (days: Capacity['diasAgenda']): string =>
  days.join() === workdays ? 'Segunda a sexta' : days.map((day) => dayNames[day].slice(0, 3)).join(', ')

/** Returns 'Inicia em 27/11/2026 08:00'. */
export const nextText = ({ proxima }: CapacityStatus): string =>
  proxima
    ? `${proxima.acao === 'INICIAR' ? 'Inicia' : 'Pausa'} em ${fullTime(proxima.em)}`
    : 'Nenhuma mudança na agenda'

/** Returns '12,5 h'. */
export const hoursText = (hours: number): string =>
  `${hours.toLocaleString('pt-BR', { maximumFractionDigits: 1 })} h`
