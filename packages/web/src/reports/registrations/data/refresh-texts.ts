import { type DatasetRefresh, type RefreshSchedule, shortWeekday } from '@bi-manager/contract'

/** Returns '45 s', '5 min' or '1 h 5 min'. */
export const durationText = ({ inicio, fim }: Pick<DatasetRefresh, 'inicio' | 'fim'>): string => {
  if (fim === null) return '—'
  const seconds = Math.max(0, Math.round((Date.parse(fim) - Date.parse(inicio)) / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export const kindTexts: Record<DatasetRefresh['tipo'], string> = {
  AGENDADA: 'Agendada',
  MANUAL: 'Manual',
  API: 'Pela API',
  OUTRA: 'Outra',
}

export const stateTexts: Record<DatasetRefresh['estado'], string> = {
  EM_ANDAMENTO: 'Em andamento',
  CONCLUIDA: 'Concluída',
  FALHOU: 'Falhou',
  CANCELADA: 'Cancelada',
  DESATIVADA: 'Desativada',
  DESCONHECIDA: 'Sem resultado',
}

const listFormat = new Intl.ListFormat('pt-BR')

/** Returns a sentence such as 'Segunda e sexta, às 08:00 e 16:30 (horário de Brasília).' */
export const scheduleText = ({ ativa, dias, horarios, fuso }: RefreshSchedule): string => {
  if (!ativa || dias.length === 0 || horarios.length === 0)
    return 'O serviço de BI não atualiza estes dados sozinho: a agenda está desligada.'
  const days =
    dias.length === 7
      ? 'todos os dias'
      : listFormat.format(dias.map((day) => shortWeekday(day).toLowerCase()))
  const sentence = `${days}, às ${listFormat.format(horarios)} (${fuso}).`
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
