import { type Incident, type IncidentDraft, incidentTermOf } from '@bi-manager/contract'

type Times = Pick<Incident, 'conhecido_em' | 'comunicado_anpd_em' | 'comunicado_titulares_em'> &
  Pick<Incident, 'exige_comunicacao'>

/**
 * Returns the end of the reporting term, and whether ANPD or the people were not told in time (Res.
 * CD/ANPD 15/2024, arts. 6 and 9).
 */
export const reportingDeadline = (
  { conhecido_em, comunicado_anpd_em, comunicado_titulares_em, exige_comunicacao }: Times,
  now: Date,
): Pick<Incident, 'prazo' | 'fora_do_prazo'> => {
  const term = incidentTermOf(new Date(conhecido_em))
  const isLate = (toldAt: string | null) => (toldAt ? new Date(toldAt) : now) > term
  return {
    prazo: term.toISOString(),
    fora_do_prazo: exige_comunicacao && [comunicado_anpd_em, comunicado_titulares_em].some(isLate),
  }
}

/** Milliseconds by which a browser's clock may be ahead. */
const SKEW_MS = 5 * 60_000

/** An earlier date is a typing error. */
const EARLIEST = Date.parse('1990-01-01T00:00:00Z')

/**
 * Returns the errors of an incident by field. It can be closed once it was reported, or once the
 * register says why not (art. 10, § 1).
 */
export const faultsOf = (draft: IncidentDraft, now: Date): Record<string, string> => {
  const faults: Record<string, string> = {}
  const known = Date.parse(draft.conhecido_em)
  for (const field of instants) {
    const at = Date.parse(draft[field] ?? '')
    if (at > now.getTime() + SKEW_MS) faults[field] = 'Esta data ainda não chegou.'
    else if (at < EARLIEST) faults[field] = 'Confira o ano.'
    else if (field === 'ocorrido_em' && at > known) faults[field] = 'Não pode ser depois do conhecimento.'
    else if (field !== 'ocorrido_em' && at < known) faults[field] = 'Não pode ser antes do conhecimento.'
  }
  if (!draft.encerrado_em) return faults
  if (!draft.exige_comunicacao && !draft.motivo_sem_comunicacao) {
    faults.motivo_sem_comunicacao ??= 'Antes de encerrar, diga por que não se comunica.'
  }
  if (draft.exige_comunicacao && !draft.comunicado_anpd_em) {
    faults.comunicado_anpd_em ??= 'Antes de encerrar, informe quando a ANPD foi comunicada.'
  }
  if (draft.exige_comunicacao && !draft.comunicado_titulares_em) {
    faults.comunicado_titulares_em ??= 'Antes de encerrar, informe quando as pessoas foram comunicadas.'
  }
  return faults
}

const instants = [
  'conhecido_em',
  'ocorrido_em',
  'comunicado_anpd_em',
  'comunicado_titulares_em',
  'encerrado_em',
] as const
