import { dayPicker, MONTHS, season } from './calendar.ts'
import { ageBand } from './market.ts'
import { table } from './parquet.ts'
import { ageIn, type Beneficiary, isCovered } from './population.ts'
import { chance, weighted, weightedHour, weightedText } from './random.ts'

/** The types of `served`. */
const SERVED = { data: 'DATE', mes: 'DATE', ano: 'INTEGER' } as const

/** Returns a growing service: about 200 a month at first, three times as many at the end. */
export const teleconsultationsTable = (people: readonly Beneficiary[]) => {
  const source = chance('teleconsultations')
  const especialidade = weightedText({
    'Clínica médica': 44,
    Pediatria: 17,
    Psicologia: 15,
    Psiquiatria: 8,
    Dermatologia: 7,
    Endocrinologia: 5,
    Nutrição: 4,
  })
  const canal = weightedText({ Vídeo: 71, Chat: 18, Telefone: 11 })
  const desfecho = weightedText({
    Resolvido: 74,
    'Ao consultório': 15,
    'Para exame': 7,
    'Ao pronto-socorro': 4,
  })
  const avaliacao = weighted([
    [5, 58],
    [4, 27],
    [3, 9],
    [2, 3.5],
    [1, 2.5],
  ] as const)
  const hora = weightedHour([
    3, 2, 1, 1, 1, 3, 8, 18, 30, 36, 35, 31, 24, 26, 30, 30, 29, 30, 33, 34, 29, 22, 13, 6,
  ])
  const rows = []
  for (const month of MONTHS) {
    const pickDay = dayPicker(month, [0.7, 1.2, 1.1, 1.05, 1, 1, 0.75])
    const rate = 0.034 * (1 + month.index * 0.052) * season(month, 6.5, 0.17)
    for (const person of people) {
      if (!isCovered(month, person) || !source.happens(rate * Math.min(2, person.frailty))) continue
      const age = ageIn(month, person)
      const kind = especialidade(source)
      rows.push({
        ...served(person, age, pickDay(source), month),
        especialidade:
          age < 15 && kind !== 'Psicologia' ? 'Pediatria' : kind === 'Pediatria' ? 'Clínica médica' : kind,
        canal: canal(source),
        desfecho: desfecho(source),
        hora: hora(source),
        espera_min: Math.max(
          1,
          Math.round(source.logNormal(9 * 0.988 ** month.index * season(month, 6.5, 0.2), 0.55)),
        ),
        duracao_min: Math.max(4, Math.round(source.logNormal(kind === 'Psicologia' ? 42 : 14, 0.3))),
        // 1 to 5; null without an answer of the patient.
        avaliacao: source.happens(0.62) ? avaliacao(source) : null,
      })
    }
  }
  const minutes = { espera_min: 'INTEGER', duracao_min: 'INTEGER' } as const
  return table('Telemedicina', { ...SERVED, ...minutes, hora: 'INTEGER', avaliacao: 'INTEGER' }, rows)
}

const CARRIERS: Record<string, { delay: number; late: number }> = {
  'Rota Sul': { delay: 0.88, late: 0.05 },
  'Expresso Mar e Serra': { delay: 0.98, late: 0.1 },
  'Via Rápida': { delay: 0.8, late: 0.04 },
  'Entrega Capital': { delay: 1.06, late: 0.16 },
}

/** Returns home deliveries: medicines for continuous use, monitoring kits and cards. */
export const deliveriesTable = (people: readonly Beneficiary[]) => {
  const source = chance('deliveries')
  const item = weightedText({
    'Medicamento de uso contínuo': 54,
    'Kit de monitoramento': 17,
    'Medicamento especial': 14,
    'Material para curativo': 9,
    Carteirinha: 6,
  })
  const carrier = weightedText({
    'Rota Sul': 36,
    'Expresso Mar e Serra': 27,
    'Via Rápida': 21,
    'Entrega Capital': 16,
  })
  const rows = []
  const lastMonth = MONTHS.at(-1)
  const lastDay = lastMonth ? lastMonth.firstDay + lastMonth.days - 1 : 0
  for (const month of MONTHS) {
    const pickDay = dayPicker(month, [0.05, 1.2, 1.1, 1, 1, 1, 0.3])
    const rate = 0.05 * (1 + month.index * 0.012)
    // Carriers are overloaded at the end of the year.
    const strain = month.number === 12 ? 1.24 : month.number === 11 ? 1.12 : 1 - month.index * 0.0022
    for (const person of people) {
      const ill = person.condicao === 'Sem condição crônica' ? 0.35 : 2.1
      if (!isCovered(month, person) || !source.happens(rate * ill)) continue
      const name = carrier(source)
      const profile = CARRIERS[name] ?? { delay: 1, late: 0.1 }
      const prazo = person.place.uf === 'BA' ? 7 : person.place.uf === 'SP' ? 5 : 4
      const taken = source.logNormal(prazo * 0.7 * profile.delay * strain, 0.3)
      const dias = Math.max(1, Math.round(source.happens(profile.late) ? taken * 1.9 : taken))
      const data = pickDay(source)
      const returned = source.happens(0.013)
      const underWay = !returned && data + dias > lastDay
      const kind = item(source)
      rows.push({
        ...served(person, ageIn(month, person), data, month),
        item: kind,
        transportadora: name,
        prazo,
        // Null while the parcel is in transit or if returned.
        dias: returned || underWay ? null : dias,
        situacao: returned
          ? 'Devolvida'
          : underWay
            ? 'Em trânsito'
            : dias > prazo
              ? 'Com atraso'
              : 'No prazo',
        custo: Math.round(source.logNormal(kind === 'Medicamento especial' ? 46 : 19, 0.28) * 100) / 100,
      })
    }
  }
  return table('Entregas', { ...SERVED, prazo: 'INTEGER', dias: 'INTEGER', custo: 'DECIMAL(10,2)' }, rows)
}

/** The patient: these tables also have the columns of the portal's filters. */
const served = (
  person: Beneficiary,
  age: number,
  data: number,
  month: { firstDay: number; year: number },
) => {
  return {
    data,
    mes: month.firstDay,
    ano: month.year,
    operadora: person.operadora,
    sexo: person.sexo,
    titularidade: person.titularidade,
    faixa_etaria: ageBand(age),
    uf: person.place.uf,
  }
}
