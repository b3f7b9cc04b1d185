import { MONTHS, type Month } from './calendar.ts'
import { OPERADORAS, type Operadora, PROFILES, UF_OF, type Uf } from './market.ts'
import { type Chance, chance, weightedText } from './random.ts'

/** A fictitious beneficiary. Months are indices; negative ones are before the demo's period. */
export interface Beneficiary {
  id: string
  operadora: Operadora
  plano: string
  sexo: 'masculino' | 'feminino'
  titularidade: 'titular' | 'dependente'
  birthYear: number
  birthMonth: number
  place: { cidade: string; uf: Uf }
  condicao: string
  joined: number
  /** The month in which coverage ended; undefined while covered. */
  left: number | undefined
  /** Tendency to use care, 1 on average. */
  frailty: number
}

export const ageIn = (month: Month, person: Beneficiary): number => {
  return Math.max(0, month.year - person.birthYear - (month.number < person.birthMonth ? 1 : 0))
}

export const isCovered = (month: Month, person: Beneficiary): boolean => {
  return person.joined <= month.index && (person.left === undefined || person.left > month.index)
}

/** Returns the beneficiaries. Families join and leave each month by the operadora's growth. */
export const population = (): Beneficiary[] => {
  return withRegistered(
    OPERADORAS.flatMap((operadora) => portfolio(operadora, chance(`population ${operadora}`))),
  )
}

/** The people whom the portal's demo registers, EX-0001 to EX-0024, by turns women and men. */
const REGISTERED = 24

/** Gives the ids of the registered people to long-standing ones of the same sex and operadora. */
const withRegistered = (people: Beneficiary[]): Beneficiary[] => {
  const ids = new Map<Beneficiary, string>()
  for (let index = 0; index < REGISTERED; index++) {
    const operadora = OPERADORAS[(index + Math.floor(index / 4)) % OPERADORAS.length]
    const sexo = index % 2 === 0 ? 'feminino' : 'masculino'
    const found = people.find(
      (one) => one.operadora === operadora && one.sexo === sexo && one.left === undefined && !ids.has(one),
    )
    if (found) ids.set(found, `EX-${String(index + 1).padStart(4, '0')}`)
  }
  return people.map((one) => ({ ...one, id: ids.get(one) ?? one.id }))
}

const MONTHLY_LEAVERS = 0.011

const portfolio = (operadora: Operadora, source: Chance): Beneficiary[] => {
  const profile = PROFILES[operadora]
  const all: Beneficiary[] = []
  let families: Beneficiary[][] = []
  for (const month of MONTHS) {
    const staying: Beneficiary[][] = []
    for (const family of families) {
      if (!source.happens(MONTHLY_LEAVERS)) staying.push(family)
      else for (const person of family) person.left = month.index
    }
    families = staying
    const wanted = profile.lives * (1 + profile.growth) ** month.index
    let lives = families.reduce((sum, family) => sum + family.length, 0)
    while (lives < wanted) {
      const joined = month.index === 0 ? -source.between(1, 96) : month.index
      const family = newFamily(operadora, joined, all.length, source)
      families.push(family)
      all.push(...family)
      lives += family.length
    }
  }
  return all
}

const plansOf = Object.fromEntries(OPERADORAS.map((name) => [name, weightedText(PROFILES[name].plans)]))
const citiesOf = Object.fromEntries(OPERADORAS.map((name) => [name, weightedText(PROFILES[name].cities)]))

const newFamily = (operadora: Operadora, joined: number, serial: number, source: Chance): Beneficiary[] => {
  const plano = (plansOf[operadora] ?? (() => ''))(source)
  const cidade = (citiesOf[operadora] ?? (() => ''))(source)
  const place = { cidade, uf: UF_OF[cidade] ?? 'PR' }
  const family: Beneficiary[] = []
  const add = (titularidade: Beneficiary['titularidade'], sexo: Beneficiary['sexo'], age: number) =>
    family.push({
      // Letters of the operadora and a serial number: it cannot identify a real person.
      id: `${operadora.slice(0, 2)}${String(serial + family.length + 1).padStart(6, '0')}`,
      operadora,
      plano,
      sexo,
      titularidade,
      birthYear: 2024 - age,
      birthMonth: source.between(1, 12),
      place,
      condicao: condition(age, source),
      joined,
      left: undefined,
      frailty: source.logNormal(0.8, 0.65),
    })

  const age = Math.round(Math.min(82, Math.max(19, source.normal(PROFILES[operadora].age + 2, 12.5))))
  const sexo = source.happens(0.55) ? 'masculino' : 'feminino'
  add('titular', sexo, age)
  const partner = age > 25 && source.happens(0.42)
  if (partner) add('dependente', sexo === 'masculino' ? 'feminino' : 'masculino', age + source.between(-5, 4))
  const children = age > 24 && age < 62 ? source.poisson(partner ? 1.15 : 0.25) : 0
  for (let child = 0; child < children; child++) {
    const childAge = age - source.between(23, 36)
    if (childAge >= 0 && childAge < 25) {
      add('dependente', source.happens(0.51) ? 'masculino' : 'feminino', childAge)
    }
  }
  if (age > 32 && age < 60 && source.happens(0.05)) {
    add(
      'dependente',
      source.happens(0.3) ? 'masculino' : 'feminino',
      Math.min(90, age + source.between(22, 32)),
    )
  }
  return family
}

const chronic = weightedText({
  Hipertensão: 34,
  Diabetes: 20,
  'Saúde mental': 18,
  Osteomuscular: 15,
  Respiratória: 13,
})
const chronicYoung = weightedText({ Respiratória: 55, 'Saúde mental': 35, Osteomuscular: 10 })

const condition = (age: number, source: Chance): string => {
  const share = Math.min(0.62, 0.05 + Math.max(0, age - 22) * 0.0105)
  if (!source.happens(share)) return 'Sem condição crônica'
  return age < 28 ? chronicYoung(source) : chronic(source)
}
