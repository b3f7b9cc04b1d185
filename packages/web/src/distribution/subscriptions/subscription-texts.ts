import {
  type MonthDay,
  type PanelChoice,
  PORTAL_ZONE,
  type Subscription,
  type SubscriptionFrequency,
  type SubscriptionMailState,
  type SubscriptionRun,
  type SubscriptionRunState,
  specifiedPanel,
} from '@bi-manager/contract'
import { fullTime } from '../../lib/text/relative-time.ts'
import { zoneName } from './time-zones.ts'

type Weekday = NonNullable<Subscription['diaSemana']>

export const weekdayTexts: Record<Weekday, string> = {
  segunda: 'Segunda-feira',
  terca: 'Terça-feira',
  quarta: 'Quarta-feira',
  quinta: 'Quinta-feira',
  sexta: 'Sexta-feira',
  sabado: 'Sábado',
  domingo: 'Domingo',
}

export const monthDayTexts: Record<MonthDay, string> = {
  PRIMEIRO_UTIL: 'Primeiro dia útil',
  ULTIMO_UTIL: 'Último dia útil',
}

export const frequencyTexts: Record<SubscriptionFrequency, string> = {
  DIARIA: 'Todo dia',
  DIAS_UTEIS: 'De segunda a sexta',
  SEMANAL: 'Toda semana',
  MENSAL: 'Todo mês',
  ATUALIZACAO: 'Depois de cada atualização dos dados',
}

type Schedule = Pick<Subscription, 'frequencia' | 'horario' | 'diaSemana' | 'diaMes' | 'fuso'>

/** Returns 'Toda segunda-feira às 07:30', with the zone where it is not the portal's. */
export const scheduleText = ({ frequencia, horario, diaSemana, diaMes, fuso }: Schedule): string => {
  const days = daysText({ frequencia, diaSemana, diaMes })
  if (frequencia === 'ATUALIZACAO' || !horario) return days
  return `${days} às ${horario}${fuso === PORTAL_ZONE ? '' : `, horário de ${zoneName(fuso)}`}`
}

const daysText = ({
  frequencia,
  diaSemana,
  diaMes,
}: Pick<Schedule, 'frequencia' | 'diaSemana' | 'diaMes'>) => {
  if (frequencia === 'SEMANAL' && diaSemana) {
    const isMasculine = diaSemana === 'sabado' || diaSemana === 'domingo'
    return `${isMasculine ? 'Todo' : 'Toda'} ${weekdayTexts[diaSemana].toLowerCase()}`
  }
  if (frequencia === 'MENSAL' && diaMes) return `No ${monthDayTexts[diaMes].toLowerCase()} do mês`
  return frequencyTexts[frequencia]
}

/** How the e-mail has the report. */
export type Sending = 'LINK' | Subscription['formato']

export const sendingTexts: Record<Sending, string> = {
  LINK: 'Só um link',
  PDF: 'PDF anexado',
  PNG: 'Imagem no e-mail',
  XLSX: 'Planilha (XLSX)',
}

export const sendingOf = ({ entrega, formato }: Pick<Subscription, 'entrega' | 'formato'>): Sending =>
  entrega === 'LINK' ? 'LINK' : formato

export const contentText = ({
  nomeVisao,
  pagina,
  tituloPagina,
  visuais,
}: Pick<Subscription, 'nomeVisao' | 'pagina' | 'tituloPagina' | 'visuais'>): string => {
  if (nomeVisao) return `Visão “${nomeVisao}”`
  if (pagina === null) return 'Relatório inteiro'
  const page = tituloPagina ? `Página “${tituloPagina}”` : 'Uma página'
  if (visuais.length === 0) return page
  return `${page}, ${visuais.length === 1 ? `visual “${visuais[0]?.titulo}”` : `${visuais.length} visuais`}`
}

/** Returns 'Operadora: UNIMED'; a declared filter is named by its column. */
export const filtersText = (filters: PanelChoice): string =>
  Object.entries(filters)
    .filter(([, value]) => value)
    .map(([name, value]) => {
      const field = specifiedPanel.find(({ nome }) => nome === name)
      const label = field?.rotulo ?? name.slice(name.indexOf('/') + 1)
      return `${label}: ${field?.opcoes.find(({ valor }) => valor === value)?.rotulo ?? value}`
    })
    .join(' · ')

export type SubscriptionState = 'ATIVA' | 'PAUSADA' | 'IMPEDIDA'

export const stateOf = ({ ativa, impedimento }: Pick<Subscription, 'ativa' | 'impedimento'>) => {
  if (!ativa) return 'PAUSADA'
  return impedimento === null ? 'ATIVA' : 'IMPEDIDA'
}

/** Returns when it is sent next; undefined while it is paused or cannot be sent. */
export const nextText = (
  one: Pick<Subscription, 'ativa' | 'impedimento' | 'proximaEm' | 'frequencia'>,
): string | undefined => {
  if (stateOf(one) !== 'ATIVA') return undefined
  if (one.proximaEm) return fullTime(one.proximaEm)
  return one.frequencia === 'ATUALIZACAO' ? 'Depois da próxima atualização' : undefined
}

export const runStateTexts: Record<SubscriptionRunState, string> = {
  EM_ANDAMENTO: 'Em andamento',
  CONCLUIDA: 'Enviada',
  PARCIAL: 'Enviada em parte',
  NAO_ENVIADA: 'Não enviada',
  FALHOU: 'Falhou',
}

export const runCauseTexts: Record<SubscriptionRun['causa'], string> = {
  AGENDA: 'Agenda',
  ATUALIZACAO: 'Atualização dos dados',
  TESTE: 'Enviar agora',
}

export const mailStateTexts: Record<SubscriptionMailState, string> = {
  PENDENTE: 'Aguarda o arquivo',
  NA_FILA: 'Na fila de envio',
  ENVIADA: 'Enviado',
  PULADA: 'Não enviado',
  FALHOU: 'Falhou',
}

/** Returns '38 enviados, 2 não enviados'; 'ainda não começou' for a run that waits. */
export const mailCounts = ({ enviadas, puladas, falhas, destinatarios }: SubscriptionRun): string => {
  const open = destinatarios - enviadas - puladas - falhas
  const parts = [
    counted(enviadas, 'enviado', 'enviados'),
    counted(puladas, 'não enviado', 'não enviados'),
    counted(falhas, 'falhou', 'falharam'),
    counted(open, 'por enviar', 'por enviar'),
  ].filter((part) => part !== undefined)
  return parts.join(', ') || 'Nenhum e-mail'
}

const counted = (count: number, one: string, many: string): string | undefined =>
  count > 0 ? `${count.toLocaleString('pt-BR')} ${count === 1 ? one : many}` : undefined

/** Returns '38 s' or '2 min 5 s'; undefined while the run is not over. */
export const durationText = ({ iniciadaEm, terminadaEm }: SubscriptionRun): string | undefined => {
  if (!iniciadaEm || !terminadaEm) return undefined
  const seconds = Math.max(1, Math.round((Date.parse(terminadaEm) - Date.parse(iniciadaEm)) / 1000))
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
