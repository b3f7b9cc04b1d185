import { type Incident, incidentTermOf, type WorkingTime, workingTimeUntil } from '@bi-manager/contract'
import { fullTime } from '../../lib/text/relative-time.ts'

interface IncidentStatus {
  tone: 'done' | 'calm' | 'soon' | 'late'
  text: string
}

/** Returns the status of an incident relative to its deadline. */
export const statusOf = (incident: Incident, now: Date): IncidentStatus => {
  if (!incident.exige_comunicacao) return { tone: 'done', text: 'Não exige comunicação' }
  const isLate = incident.fora_do_prazo
  if (pendingNotificationsOf(incident).length === 0) {
    return isLate
      ? { tone: 'late', text: 'Comunicado fora do prazo' }
      : { tone: 'done', text: 'Comunicado no prazo' }
  }
  const left = workingTimeUntil(new Date(incident.prazo), now)
  if (isLate || !left) return { tone: 'late', text: 'Fora do prazo' }
  return { tone: left.days === 0 ? 'soon' : 'calm', text: leftInWords(left) }
}

/** Returns the parties that still have to be notified, in Portuguese. */
export const pendingNotificationsOf = ({
  exige_comunicacao,
  comunicado_anpd_em,
  comunicado_titulares_em,
}: Incident): string[] =>
  exige_comunicacao
    ? [...(comunicado_anpd_em ? [] : ['a ANPD']), ...(comunicado_titulares_em ? [] : ['as pessoas afetadas'])]
    : []

/**
 * Sorts open incidents by deadline, with those that need no further notification last, and closed
 * ones newest first.
 */
export const sortIncidents = (incidents: readonly Incident[]): { open: Incident[]; closed: Incident[] } => ({
  open: incidents
    .filter(({ encerrado_em }) => encerrado_em === null)
    .sort((a, b) => Number(areNotified(a)) - Number(areNotified(b)) || a.prazo.localeCompare(b.prazo)),
  closed: incidents
    .filter(({ encerrado_em }) => encerrado_em !== null)
    .sort((a, b) => b.conhecido_em.localeCompare(a.conhecido_em)),
})

const areNotified = (incident: Incident): boolean => pendingNotificationsOf(incident).length === 0

/** Returns the deadline in words: 'até 24/11/2026 23:59'; undefined for an incomplete instant. */
export const termInWords = (knownAt: string): string | undefined => {
  const known = new Date(knownAt)
  return Number.isNaN(known.getTime()) ? undefined : `até ${fullTime(incidentTermOf(known).toISOString())}`
}

/** 'Faltam 2 dias úteis e 14 h', 'Falta 1 dia útil', 'Faltam 4 h 20 min' */
const leftInWords = ({ days, hours, minutes }: WorkingTime): string => {
  if (days === 0) {
    const verb = hours === 1 || (hours === 0 && minutes === 1) ? 'Falta' : 'Faltam'
    return hours === 0
      ? `${verb} ${minutes} min`
      : `${verb} ${hours} h${minutes > 0 ? ` ${minutes} min` : ''}`
  }
  const whole = days === 1 ? 'Falta 1 dia útil' : `Faltam ${days} dias úteis`
  return hours === 0 ? whole : `${whole} e ${hours} h`
}
