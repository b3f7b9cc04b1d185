import { dayPicker, MONTHS, type Month, season } from './calendar.ts'
import {
  CARE,
  CARE_TYPES,
  type CareOption,
  type CareType,
  mixByAge,
  RISKS,
  useByAge,
} from './care-profile.ts'
import { ageBand, PRESTADORES, PROFILES, type Prestador, type Uf } from './market.ts'
import type { Table } from './parquet.ts'
import { ageIn, type Beneficiary, isCovered } from './population.ts'
import { type Chance, chance, weighted, weightedHour } from './random.ts'

const CLAIMS_WANTED = 200_000
/** Yearly medical inflation and growth of use. */
const INFLATION = 0.082
const USE_GROWTH = 0.025

export type Claim = ReturnType<typeof newClaim>

export const claimsTable = (rows: Claim[]): Table<Claim> => ({
  name: 'Sinistralidade',
  types: {
    data: 'DATE',
    mes: 'DATE',
    ano: 'INTEGER',
    idade: 'INTEGER',
    valor: 'DECIMAL(12,2)',
    dias: 'INTEGER',
    hora: 'INTEGER',
    espera_min: 'INTEGER',
  },
  rows,
})

/** Returns all claims ordered by month; the base rate yields about 200,000 on average. */
export const claims = (people: readonly Beneficiary[]): Claim[] => {
  const source = chance('claims')
  let expected = 0
  for (const month of MONTHS) for (const person of people) expected += intensity(month, person)
  const rate = CLAIMS_WANTED / expected
  const rows: Claim[] = []
  for (const month of MONTHS) {
    const pickDay = dayPickers(month)
    for (const person of people) {
      const events = source.poisson(rate * intensity(month, person))
      for (let event = 0; event < events; event++) rows.push(newClaim(month, person, pickDay, source))
    }
  }
  return rows
}

const intensity = (month: Month, person: Beneficiary): number => {
  if (!isCovered(month, person)) return 0
  const chronic = person.condicao === 'Sem condição crônica' ? 1 : 1.6
  const trend = (1 + USE_GROWTH) ** (month.index / 12)
  // Use peaks in winter and drops in December.
  const rhythm = season(month, 7, 0.09) * (month.number === 12 ? 0.88 : month.number === 2 ? 0.95 : 1)
  const age = ageIn(month, person)
  return (
    person.frailty * chronic * trend * rhythm * PROFILES[person.operadora].use * useByAge(age, person.sexo)
  )
}

const OFFICE_WEEK = [0.04, 1.1, 1.15, 1.12, 1.05, 0.95, 0.25]
const EMERGENCY_WEEK = [1.08, 1.2, 1, 0.96, 0.94, 0.96, 1.02]

type DayPickers = Record<CareType, (source: Chance) => number>
const dayPickers = (month: Month): DayPickers => {
  const office = dayPicker(month, OFFICE_WEEK)
  const emergency = dayPicker(month, EMERGENCY_WEEK)
  return {
    consulta: office,
    exame: office,
    terapia: office,
    'pronto-socorro': emergency,
    internação: emergency,
  }
}

const newClaim = (month: Month, person: Beneficiary, pickDay: DayPickers, source: Chance) => {
  const age = ageIn(month, person)
  const tipo = pickType(month, age, source)
  const care = pickCare(tipo, age, person.sexo, source)
  const provider = pickProvider(person.place.uf, KIND[tipo], source)
  const level =
    PROFILES[person.operadora].cost *
    provider.price *
    (1 + INFLATION) ** (month.index / 12) *
    planLevel(person.plano)
  const stay = tipo === 'internação' ? hospitalStay(care, age, source) : undefined
  const visit = tipo === 'pronto-socorro' ? emergencyVisit(month, source) : undefined
  const base = source.logNormal(care.median, care.sigma) + (stay ? stay.dias * stay.dailyRate : 0)
  return {
    data: pickDay[tipo](source),
    mes: month.firstDay,
    ano: month.year,
    operadora: person.operadora,
    plano: person.plano,
    id_beneficiario: person.id,
    sexo: person.sexo,
    titularidade: person.titularidade,
    idade: age,
    faixa_etaria: ageBand(age),
    cidade: person.place.cidade,
    uf: person.place.uf,
    tipo,
    especialidade: care.especialidade,
    prestador: provider.prestador,
    cid_grupo: care.cid,
    // Only for internações, like `dias`.
    carater: stay?.carater ?? null,
    dias: stay?.dias ?? null,
    // Only for pronto-socorro, like the next two.
    hora: visit?.hora ?? null,
    classificacao_risco: visit?.classificacao ?? null,
    espera_min: visit?.espera ?? null,
    valor: Math.round(base * level * 100) / 100,
  }
}

const planLevel = (plano: string) =>
  plano === 'Nacional Executivo' ? 1.18 : plano === 'Regional Enfermaria' ? 0.94 : 1

const pickType = (month: Month, age: number, source: Chance): CareType => {
  const mix = mixByAge(age)
  const winter = season(month, 6.5, age < 15 ? 0.42 : 0.24)
  return weighted(
    CARE_TYPES.map((type) => [type, type === 'pronto-socorro' ? mix[type] * winter : mix[type]] as const),
  )(source)
}

const carePickers = new Map<string, (source: Chance) => CareOption>()
const pickCare = (tipo: CareType, age: number, sexo: string, source: Chance): CareOption => {
  const key = `${tipo} ${age} ${sexo}`
  const known = carePickers.get(key)
  if (known) return known(source)
  const fitting = CARE[tipo].filter(
    (care) =>
      age >= (care.minAge ?? 0) &&
      age <= (care.maxAge ?? 200) &&
      (care.sexo === undefined || care.sexo === sexo),
  )
  const pick = weighted(fitting.map((care) => [care, ageWeight(care, age)] as const))
  carePickers.set(key, pick)
  return pick(source)
}

/** Some specialties become more frequent with age. */
const ageWeight = (care: CareOption, age: number): number => {
  const ages = ['Cardiologia', 'Oncologia', 'Neurologia', 'Urologia'].includes(care.especialidade)
  return care.weight * (ages ? 0.5 + Math.max(0, age - 25) / 30 : 1)
}

const KIND: Record<CareType, Prestador['kind']> = {
  consulta: 'clinica',
  exame: 'laboratorio',
  terapia: 'terapia',
  'pronto-socorro': 'hospital',
  internação: 'hospital',
}
const providerPickers = new Map<string, (source: Chance) => Prestador>()
const pickProvider = (uf: Uf, kind: Prestador['kind'], source: Chance): Prestador => {
  const key = `${uf} ${kind}`
  const pick =
    providerPickers.get(key) ??
    weighted(
      PRESTADORES.filter((one) => one.uf === uf && one.kind === kind).map(
        (one) => [one, one.weight] as const,
      ),
    )
  providerPickers.set(key, pick)
  return pick(source)
}

const hospitalStay = (care: CareOption, age: number, source: Chance) => {
  const planned = care.especialidade === 'Ortopedia' || care.especialidade === 'Urologia' ? 0.68 : 0.36
  const typical = care.especialidade === 'Psiquiatria' ? 9 : age > 65 ? 4.6 : 2.6
  const dias = Math.min(60, Math.max(1, Math.round(source.logNormal(typical, 0.7))))
  return { carater: source.happens(planned) ? 'Eletiva' : 'Urgência', dias, dailyRate: 1150 }
}

const pickRisk = weighted(Object.entries(RISKS).map(([name, { weight }]) => [name, weight] as const))
const pickHour = weightedHour([
  9, 6, 5, 4, 4, 6, 12, 26, 44, 56, 60, 56, 46, 46, 50, 52, 54, 58, 64, 66, 58, 44, 28, 16,
])
const emergencyVisit = (month: Month, source: Chance) => {
  const classificacao = pickRisk(source)
  const espera = Math.round(
    source.logNormal((RISKS[classificacao]?.waiting ?? 60) * season(month, 6.5, 0.16), 0.42),
  )
  return { classificacao, hora: pickHour(source), espera: Math.max(1, espera) }
}
