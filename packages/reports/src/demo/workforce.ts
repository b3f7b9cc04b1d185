import { dayPicker, MONTHS, season } from './calendar.ts'
import { table } from './parquet.ts'
import { type Chance, chance, weightedText } from './random.ts'

const UNITS = [
  ['Curitiba', 640],
  ['São Paulo', 520],
  ['Joinville', 330],
  ['Salvador', 210],
] as const
/** Sectors, with their share of a unit's staff and their tendency to absence. */
const SECTORS = [
  ['Produção', 0.36, 1.25],
  ['Logística', 0.18, 1.15],
  ['Atendimento', 0.17, 1.3],
  ['Administrativo', 0.14, 0.72],
  ['Comercial', 0.1, 0.66],
  ['Tecnologia', 0.05, 0.55],
] as const
const WORKING_DAY = 8
const WORKING_MONTH = 21

/** Returns a client company's absences and its staff. The tables have no operadora. */
export const workforceTables = () => {
  const source = chance('workforce')
  const absences = []
  const headcount = []
  for (const month of MONTHS) {
    const pickDay = dayPicker(month, [0.15, 1.45, 1.05, 0.95, 0.95, 1.1, 0.35])
    for (const [unidade, people] of UNITS) {
      for (const [setor, share, proneness] of SECTORS) {
        const colaboradores = Math.round(people * share * (1 + month.index * 0.003))
        const when = { mes: month.firstDay, ano: month.year }
        headcount.push({
          ...when,
          unidade,
          setor,
          colaboradores,
          horas_previstas: colaboradores * WORKING_DAY * WORKING_MONTH,
        })
        const events = source.poisson(colaboradores * 0.28 * proneness * season(month, 6.5, 0.2))
        for (let event = 0; event < events; event++) {
          absences.push({ data: pickDay(source), ...when, unidade, setor, ...newAbsence(setor, source) })
        }
      }
    }
  }
  const month = { mes: 'DATE', ano: 'INTEGER' } as const
  return [
    table('Absenteismo', { ...month, data: 'DATE', dias: 'DOUBLE', horas: 'DOUBLE' }, absences),
    table('Quadro', { ...month, colaboradores: 'INTEGER', horas_previstas: 'INTEGER' }, headcount),
  ] as const
}

const pickKind = weightedText({
  Atestado: 62,
  Falta: 17,
  Acompanhamento: 12,
  Afastamento: 4,
  'Licença legal': 5,
})
const pickReason = weightedText({
  Respiratório: 27,
  Osteomuscular: 23,
  'Saúde mental': 16,
  Digestivo: 12,
  Lesões: 8,
  Odontológico: 6,
  Outros: 8,
})
const pickShift = weightedText({ Manhã: 46, Tarde: 36, Noite: 18 })

const newAbsence = (setor: string, source: Chance) => {
  const tipo = pickKind(source)
  const typical = tipo === 'Afastamento' ? 11 : tipo === 'Licença legal' ? 3.2 : 1.5
  // Only short absences include half days.
  const dias =
    typical < 2 && source.happens(0.2)
      ? 0.5
      : Math.min(15, Math.max(1, Math.round(source.logNormal(typical, 0.6))))
  const medical = tipo === 'Atestado' || tipo === 'Afastamento'
  const office = setor === 'Administrativo' || setor === 'Comercial' || setor === 'Tecnologia'
  return {
    turno: office ? 'Manhã' : pickShift(source),
    tipo,
    motivo: medical ? pickReason(source) : 'Não médico',
    dias,
    horas: dias * WORKING_DAY,
  }
}
